import { asSentence } from "@lading/schema/internal";
import { checkParents } from "../../../domain/customer/parents.ts";
import { checkFlow, checkRestrictions } from "../../../domain/flow/check.ts";
import { requireAudience } from "../../../domain/price-list/audience.ts";
import { refuseCircle, requirePieces } from "../../../domain/shape/content-model.ts";
import { reject } from "../../../errors.ts";
import { type CustomerGroupRow, customerGroups } from "../../../storage/collections/customer-groups.ts";
import { type CustomerRow, customers } from "../../../storage/collections/customers.ts";
import { type FlowStageRow, flowStages } from "../../../storage/collections/flow-stages.ts";
import { flows } from "../../../storage/collections/flows.ts";
import { pieces } from "../../../storage/collections/pieces.ts";
import { priceLists } from "../../../storage/collections/price-lists.ts";
import { shapes } from "../../../storage/collections/shapes.ts";
import { usersOfPiece } from "../../../storage/queries/content-counts.ts";
import { anyNamesCustomers, namersOfCustomer } from "../../../storage/queries/customers.ts";
import { flowsRestrictedTo } from "../../../storage/queries/flows.ts";
import { onChange, onRemoval, type RuleContext, rulesOf, type TableRules } from "./rule.ts";

/** Rules for references without a foreign key (docs/stored-references.md): the referenced row must exist, and stay. */
export const references: readonly TableRules[] = [
  rulesOf(
    pieces,
    onChange(["components"], async ({ unit }, { identifier, components }) => {
      await requirePieces(unit, { components });
      await refuseCircle(unit, identifier, components);
    }),
    onRemoval(async ({ unit }, { identifier }) => {
      const [user] = await usersOfPiece(unit, identifier, 1);
      refuseNamed(user, "uses");
    }),
  ),
  rulesOf(
    shapes,
    onChange(["components", "variantComponents"], ({ unit }, { components, variantComponents }) =>
      requirePieces(unit, { components, variantComponents }),
    ),
    onRemoval(async ({ unit }, { identifier }) => {
      const [flow] = await flowsRestrictedTo(unit, identifier, 1);
      refuseNamed(flow);
    }),
  ),
  rulesOf(
    flows,
    onChange(["restrictions"], ({ unit }, { restrictions }) => checkRestrictions(unit, restrictions)),
  ),
  rulesOf(flowStages, onChange(["identifier", "actions"], stagesFit), onRemoval(stagesFit)),
  rulesOf(customers, onChange(["parents"], parentsFit("customer")), onRemoval(namesNoMore("customer"))),
  rulesOf(
    customerGroups,
    onChange(["parents"], parentsFit("customerGroup")),
    onRemoval(namesNoMore("customerGroup")),
  ),
  rulesOf(
    priceLists,
    onChange(["targetAudience"], async (context, { targetAudience }) => {
      noteNames(context, true);
      await requireAudience(context, targetAudience);
    }),
  ),
];

/** Rejects the removal of a row that another row refers to. */
function refuseNamed(namer: string | undefined, how = "names"): void {
  if (namer !== undefined) reject("ConflictError", asSentence(`${namer} ${how} it now`).trimStart());
}

/** Rejects flow stages that move items to a stage the flow doesn't have. */
async function stagesFit({ unit }: RuleContext, { flowIdentifier }: FlowStageRow): Promise<void> {
  const stages = await unit.find(flowStages, "flow", flowIdentifier);
  checkFlow({ identifier: flowIdentifier, stages });
}

type ParentType = CustomerRow["parents"][number]["type"];
type WithParents = Pick<CustomerRow | CustomerGroupRow, "identifier" | "parents">;

function parentsFit(type: ParentType) {
  return async (context: RuleContext, { identifier, parents }: WithParents, current?: WithParents) => {
    noteNames(context, parents.length > 0);
    await checkParents(context.unit, { type, identifier }, parents, current?.parents ?? []);
  };
}

function namesNoMore(type: ParentType) {
  return async (context: RuleContext, { identifier }: WithParents) => {
    if (await mayBeNamed(context)) {
      const [namer] = await namersOfCustomer(context.unit, { type, identifier }, 1);
      refuseNamed(namer);
    }
  };
}

/** True if rows may refer to customers, stored or restored by this batch; otherwise no query is needed. */
async function mayBeNamed({ unit }: RuleContext): Promise<boolean> {
  const known = namesOf(unit).get() ?? (await anyNamesCustomers(unit));
  namesOf(unit).set(known);
  return known;
}

function noteNames({ unit }: RuleContext, names: boolean): void {
  if (names) namesOf(unit).set(true);
}

const namesOf = (unit: RuleContext["unit"]) => unit.memo<boolean>("anything that names customers");
