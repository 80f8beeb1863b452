import { z } from "zod";
import { part, type Scalars } from "../scalars.ts";
import { byKey, keysOf } from "../tables.ts";
import {
  type ComponentType,
  componentTypes,
  isComponentType,
  type NestableType,
  nestableTypes,
  typeMeanings,
  types,
} from "./types.ts";

type ConfigOf<T extends ComponentType> = z.output<ReturnType<(typeof types)[T]>["config"]>;
type ContentOf<T extends ComponentType> = z.output<ReturnType<(typeof types)[T]>["content"]>;

export type ComponentConfig = { [T in ComponentType]?: ConfigOf<T> };

/** A component of a shape or piece in normal form: named, with its settings under `config[type]`. */
export interface ComponentDefinition {
  id: string;
  name: string;
  type: ComponentType;
  description?: string;
  config?: ComponentConfig;
  /** The name under which its content is stored; default: its id. Not in payloads. */
  key?: string;
  /** Its earlier ids, latest first. Not in payloads. */
  formerIds?: readonly string[];
}

/** The content of one component inside a chunk or a choice: one key, named after its type. */
export type NestableContent = { componentId: string } & { [T in NestableType]?: ContentOf<T> | null };

/** The content of one component of an item or a variant: its id and one key, named after its type. */
export type ComponentContent = { componentId: string } & { [T in ComponentType]?: ContentOf<T> | null };

/** The content of a component of any of the 19 types. The schema does not know which type its shape expects. */
export const componentContent: (s: Scalars) => z.ZodType<ComponentContent> = part((s) =>
  z
    .object({
      componentId: s.field("Id of the component in the shape", s.filledText),
      ...contents(s, componentTypes),
    })
    .meta({ id: "ComponentContent" }),
) as (s: Scalars) => z.ZodType<ComponentContent>;

const nestableContent = part((s) =>
  z
    .object({
      componentId: s.field("Id of the component inside the chunk or the choice", s.filledText),
      ...contents(s, keysOf(nestableTypes)),
    })
    .meta({ id: "NestableContent" }),
) as (s: Scalars) => z.ZodType<NestableContent>;

/**
 * A definition in normal form. As written, the name may be absent (then it is the id), and the settings may
 * be next to `type` under the type's name instead of in `config`, or directly in `config`, as in old files.
 */
export const componentDefinition: (s: Scalars) => z.ZodType<ComponentDefinition> = part((s) =>
  s
    .normalised(writtenDefinition(s), (written, issues) =>
      normalDefinition(s, written as WrittenDefinition, issues),
    )
    .meta({ id: "ComponentDefinition" }),
) as unknown as (s: Scalars) => z.ZodType<ComponentDefinition>; // TypeScript cannot infer that many configs

const schemas = part((s) => {
  const nested = {
    definition: () => componentDefinition(s),
    content: () => componentContent(s),
    nestable: () => nestableContent(s),
  };
  return byKey(componentTypes, (type): { config: z.ZodObject; content: z.ZodType } => types[type](s, nested));
});

/** One optional member per type. Null is accepted: the component has no content. */
const contents = (s: Scalars, of: readonly ComponentType[]) =>
  byKey(of, (type) =>
    s.field(`Content of the type \`${type}\`: ${typeMeanings[type]}`, schemas(s)[type].content.nullish()),
  );

/** A definition as written: see {@link componentDefinition}. */
export type WrittenDefinition = Omit<ComponentDefinition, "name"> & { name?: string } & ComponentConfig;

function writtenDefinition(s: Scalars) {
  const configs = byKey(componentTypes, (type) =>
    s.field(`Settings of the type \`${type}\`: ${typeMeanings[type]}`, schemas(s)[type].config.optional()),
  );
  return z.object({
    id: s.field("Id of the component, unique among its neighbours", s.filledText),
    name: s.field("Name that people see; without it, the id", s.filledText.optional()),
    type: s.field("Type of the content", s.oneOf(typeMeanings)),
    description: s.field("Help for those who fill the component in", s.text.optional()),
    config: s.field(
      "Settings of the component, under the name of its type",
      s.openObject(configs).meta({ id: "ComponentConfig" }).optional(),
    ),
    ...configs,
  });
}

/**
 * Brings a definition as written into normal form, without the definitions nested in it. Settings in `config`
 * win over settings next to `type`, and these over flat ones; empty settings count as none. Problems of flat
 * settings are added to `issues`.
 */
export function normalDefinition(
  s: Scalars,
  { id, name, type, description, config = {}, ...inline }: WrittenDefinition,
  issues: z.core.$ZodRawIssue[],
) {
  const settings: ComponentConfig = Object.fromEntries(
    Object.entries(config).filter(([key]) => isComponentType(key)),
  );
  const own = settings[type] ?? inline[type] ?? parseFlat(s, type, config, issues);
  if (own !== undefined && Object.keys(own).length > 0) Object.assign(settings, { [type]: own });
  else delete settings[type];
  return {
    id,
    name: name ?? id,
    type,
    ...(description !== undefined && { description }),
    ...(Object.keys(settings).length > 0 && { config: settings }),
  };
}

export const contentSchema = (s: Scalars, type: ComponentType) => schemas(s)[type].content;

export const settingsSchema = (s: Scalars, type: ComponentType) => schemas(s)[type].config;

/** A type's settings that are directly in `config`, without the type's name around them, if any. */
export function flatSettings(
  s: Scalars,
  type: ComponentType,
  config: object,
): Record<string, unknown> | undefined {
  const { shape } = settingsSchema(s, type);
  const flat = Object.entries(config).filter(([key]) => Object.hasOwn(shape, key));
  return flat.length > 0 ? Object.fromEntries(flat) : undefined;
}

function parseFlat(
  s: Scalars,
  type: ComponentType,
  config: object,
  issues: z.core.$ZodRawIssue[],
): object | undefined {
  const flat = flatSettings(s, type, config);
  const parsed = flat && settingsSchema(s, type).safeParse(flat);
  for (const issue of parsed?.error?.issues ?? [])
    issues.push({ ...issue, path: ["config", ...issue.path] } as z.core.$ZodRawIssue);
  return parsed?.data;
}

/** The schemas for component types with nested components. They are functions because they contain each other. */
export interface Nested {
  definition(): z.ZodType<ComponentDefinition>;
  content(): z.ZodType<ComponentContent>;
  /** Content inside a chunk or a choice. */
  nestable(): z.ZodType<NestableContent>;
}
