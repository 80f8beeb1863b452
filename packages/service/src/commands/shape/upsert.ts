import { shapeCommands } from "../../domain/shape/commands.ts";

export const command = shapeCommands.upsert;
