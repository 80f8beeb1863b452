import { z } from "zod";
import { componentContent } from "../components/component.ts";
import { part } from "../scalars.ts";
import { identifiedBy, itemIdentity, resourceIdentifier } from "./identity.ts";
import { variant } from "./product-variant.ts";

const tree = part((s) =>
  z.object({ parentId: s.id, position: s.numberFrom(0).nullish() }).meta({ id: "TreePosition" }),
);

const itemFields = part((s) => ({
  name: s.name,
  createdAt: s.dateTime.nullish(),
  externalReference: s.text.nullish(),
  topicIds: z.array(s.id).nullish(),
  components: z.array(componentContent(s)).nullish(),
  tree: tree(s),
}));

const productFields = part((s) => ({
  ...itemFields(s),
  vatTypeId: s.id,
  variants: z.array(variant(s)).min(1),
}));

/** Folders and documents. */
export const createItem = part((s) =>
  z.object({
    language: s.filledText,
    shapeIdentifier: s.text,
    ...itemFields(s),
    ...resourceIdentifier(s),
  }),
);

/** Folders and documents: absent fields stay unchanged, components are replaced as a set. */
export const updateItem = part((s) =>
  z
    .object(itemFields(s))
    .partial()
    .extend({ language: s.filledText, ...itemIdentity(s) })
    .superRefine(identifiedBy("itemId")),
);

/** Without any identity, an item is found by its external reference or created. */
export const upsertItem = part((s) => createItem(s).extend(itemIdentity(s)));

/** A product has at least one variant and a VAT type. */
export const createProduct = part((s) => createItem(s).extend(productFields(s)));

/** Absent fields stay unchanged; components are replaced as a set. */
export const updateProduct = part((s) =>
  z
    .object(productFields(s))
    .partial()
    .extend({ language: s.filledText, ...itemIdentity(s) })
    .superRefine(identifiedBy("itemId")),
);

/**
 * Without `tree` a new product goes to the root, without `vatTypeId` it gets the tenant's first VAT type, without
 * `variants` one default variant.
 */
export const upsertProduct = part((s) =>
  createProduct(s).extend(itemIdentity(s)).partial({ tree: true, vatTypeId: true, variants: true }),
);

/** One component of an item in one language; the others stay. */
export const updateItemComponent = part((s) =>
  z
    .object({ language: s.filledText, component: componentContent(s), ...itemIdentity(s) })
    .superRefine(identifiedBy("itemId")),
);

/** One component of a variant in one language; the others stay. */
export const updateSkuComponent = part((s) =>
  z.object({ language: s.filledText, component: componentContent(s), sku: s.text }),
);

/** Publishing and unpublishing. */
export const publishItem = part((s) =>
  z
    .object({ language: s.filledText, includeDescendants: s.boolean.optional(), ...itemIdentity(s) })
    .superRefine(identifiedBy("itemId")),
);

/** An item to delete, by id or resource identifier. */
export const deleteItem = part((s) => z.object(itemIdentity(s)).superRefine(identifiedBy("itemId")));
