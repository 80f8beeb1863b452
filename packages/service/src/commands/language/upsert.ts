import { settingCommands } from "../../domain/settings/commands.ts";

export const command = settingCommands.language.upsert;
