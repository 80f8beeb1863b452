import { priceListCommands } from "../../domain/price-list/commands.ts";

export const command = priceListCommands.upsert;
