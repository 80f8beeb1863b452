import { reject } from "../../errors.ts";
import type { CoreContext } from "../context.ts";
import { outcomeField } from "../fields.ts";

type Field<Given> = Parameters<typeof outcomeField<Given, CoreContext>>[0];

/** A root field that changes something: for admin tokens only; a reader is answered `UnauthorizedError`. */
export function adminField<Given>(field: Field<Given>) {
  return outcomeField<Given>({
    ...field,
    async resolve(given, context) {
      if (context.role !== "admin")
        reject("UnauthorizedError", "This access token may read only; a mutation needs an admin token");
      return field.resolve(given, context);
    },
  });
}
