import type { Commands } from "../command.ts";
import { settingCommands } from "./commands.ts";

export const settingIntents = {
  "language/upsert": settingCommands.language.upsert,
  "vatType/upsert": settingCommands.vatType.upsert,
  "priceVariant/upsert": settingCommands.priceVariant.upsert,
  "stockLocation/upsert": settingCommands.stockLocation.upsert,
  "market/upsert": settingCommands.market.upsert,
  "subscriptionPlan/upsert": settingCommands.subscriptionPlan.upsert,
  "orderPipeline/upsert": settingCommands.pipeline.upsert,
} satisfies Partial<Commands>;
