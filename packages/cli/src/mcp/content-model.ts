import type { ComponentDefinition } from "@lading/schema/internal";
import { isObject } from "@lading/schema/internal/is-object";
import { readContentModel } from "../content-model/read.ts";
import { counted } from "../context.ts";
import { CliError } from "../exit.ts";
import { graphql } from "../service/documents.ts";
import { request } from "../service/graphql.ts";
import { kindNames } from "../service/setting-kinds.ts";
import { readSettings } from "../service/setting-requests.ts";
import { type Answer, fitting, fittingOne } from "./answer.ts";
import type { Call } from "./call.ts";
import { mcpLimits } from "./limits.ts";

const query = graphql(`
  query OtherSettings {
    tenant {
      rootItemId
      subscriptionPlans { identifier name }
      pipelines { id name stages { id name } }
    }
  }`);

interface Asked {
  readonly identifier?: string | undefined;
  readonly skip: number;
}

/** Describes shapes, pieces and settings: each definition on a line, or one of them whole. */
export async function describeContentModel({ endpoint }: Call, asked: Asked): Promise<Answer> {
  const { shapes, pieces } = await readContentModel(endpoint);
  const all = [
    ...shapes.map((definition) => ({ kind: "shape", ...definition })),
    ...pieces.map((definition) => ({ kind: "piece", ...definition })),
  ];
  const { identifier, skip } = asked;
  if (identifier !== undefined) {
    const found = all.filter((definition) => definition.identifier === identifier);
    if (found.length === 0)
      throw new CliError("no shape or piece has this identifier: call describe_content_model without it");
    return { says: ["The whole definition, as shape/upsert or piece/upsert takes it."], data: { found } };
  }
  const counts = `${counted(shapes.length, "shape")}, ${counted(pieces.length, "piece")}.`;
  const definitions = fitting(all.slice(skip).map(overviewOf));
  const end = skip + definitions.length;
  const { subscriptionPlans, pipelines, rootItemId } = (await request(endpoint, query, {})).tenant;
  const lists = skip === 0 ? await readSettings(endpoint, kindNames) : {};
  const settings = skip === 0 && { rootItemId, ...lists, subscriptionPlans, orderPipelines: pipelines };
  return {
    says: [
      counts,
      ...(end > skip ? [`Definitions ${skip + 1} to ${end}: each component is its id and its type.`] : []),
      ...(end < all.length ? [`For more: skip ${end}.`] : []),
      "For the whole definition of one: identifier.",
    ],
    data: { ...(settings && { settings: fittingOne(settings, mcpLimits.restBytes) }), definitions },
  };
}

interface Definition {
  readonly kind: string;
  readonly identifier: string;
  readonly name: string;
  readonly type?: string;
  readonly components?: readonly ComponentDefinition[] | null;
  readonly variantComponents?: readonly ComponentDefinition[] | null;
}

const overviewOf = ({ kind, identifier, name, type, components, variantComponents }: Definition) => ({
  [kind]: identifier,
  name,
  ...(type && { type }),
  components: typesOf(components),
  ...(variantComponents?.length && { variantComponents: typesOf(variantComponents) }),
});

/** `title: singleLine`, `specs: piece(dimensions)`, `body: contentChunk(text: richText)` */
const typesOf = (components: readonly ComponentDefinition[] | null | undefined): string[] =>
  (components ?? []).map((component) => `${component.id}: ${typeOf(component)}`);

function typeOf({ type, config }: ComponentDefinition): string {
  const own: unknown = Object.entries(config ?? {}).find(([name]) => name === type)?.[1];
  if (!isObject(own)) return type;
  const { identifier, components, choices } = own;
  const nested = components ?? choices;
  if (Array.isArray(nested)) return `${type}(${typesOf(nested).join(", ")})`;
  return typeof identifier === "string" ? `${type}(${identifier})` : type;
}
