import type { z } from "zod";
import type * as resources from "./resources/address.ts";
import type { customer } from "./resources/customer.ts";
import type { flowAction } from "./resources/flow-action.ts";
import type { keyValue } from "./resources/key-value.ts";
import type * as media from "./resources/media.ts";
import type { orderItem } from "./resources/order-item.ts";
import type { orderPrice } from "./resources/order-price.ts";
import type { payment } from "./resources/payment.ts";
import type { variant } from "./resources/product-variant.ts";
import type { Scalars } from "./scalars.ts";

type Part<P extends (s: Scalars) => z.ZodType> = z.output<ReturnType<P>>;

export type AddressInput = Part<typeof resources.address>;
export type CustomerInput = Part<typeof customer>;
export type FlowAction = Part<typeof flowAction>;
export type ImageInput = Part<typeof media.image>;
export type KeyValue = Part<typeof keyValue>;
export type OrderItemInput = Part<typeof orderItem>;
export type OrderPriceInput = Part<typeof orderPrice>;
export type PaymentInput = Part<typeof payment>;
export type VariantInput = Part<typeof variant>;
export type VideoInput = Part<typeof media.video>;
export type { ChildTopic } from "./resources/topic.ts";
