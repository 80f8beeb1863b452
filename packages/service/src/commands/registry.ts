import type { Intent } from "@lading/schema";
import type { Command, Commands } from "../domain/command.ts";
import { customerIntents } from "../domain/customer/intents.ts";
import { flowIntents } from "../domain/flow/intents.ts";
import { imageIntents } from "../domain/image/intents.ts";
import { itemIntents } from "../domain/item/intents.ts";
import { orderIntents } from "../domain/order/intents.ts";
import { priceListIntents } from "../domain/price-list/intents.ts";
import { settingIntents } from "../domain/settings/intents.ts";
import { shapeIntents } from "../domain/shape/intents.ts";
import { contractIntents } from "../domain/subscription-contract/intents.ts";
import { topicIntents } from "../domain/topic/intents.ts";
import { variantIntents } from "../domain/variant/intents.ts";

/** The command of every intent. The type requires all of them. */
export const commands: Commands = {
  ...shapeIntents,
  ...itemIntents,
  ...variantIntents,
  ...imageIntents,
  ...customerIntents,
  ...orderIntents,
  ...contractIntents,
  ...priceListIntents,
  ...topicIntents,
  ...flowIntents,
  ...settingIntents,
};

export const commandOf = <I extends Intent>(intent: I): Command<I> => commands[intent];
