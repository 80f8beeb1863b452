import { z } from "zod";
import { componentContent } from "../components/component.ts";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { identifiedBy, itemIdentity, resourceIdentifier } from "./identity.ts";
import { variant } from "./product-variant.ts";

const tree = part((s) =>
  z
    .object({
      parentId: s.field("Id of the folder that the item is in, such as `{{ defaults.rootItemId }}`", s.id),
      position: s.field(
        "Position in the folder, from 1; without it a new item goes to the end",
        s.numberFrom(0).nullish(),
      ),
    })
    .meta({ id: "TreePosition" }),
);

const itemFields = part((s) => ({
  name: s.field("Name of the item in this language; its path comes from it", s.name),
  createdAt: s.field(
    "When the item was created; without it, when the operation is executed",
    s.dateTime.nullish(),
  ),
  externalReference: s.field(
    "Your key of the item in another system, by which an upsert may find it",
    s.key.nullish(),
  ),
  topicIds: s.field("Ids of the topics of the item; a list replaces the stored one", z.array(s.id).nullish()),
  components: s.field(
    "Content of the item in this language; a list replaces the stored one",
    z.array(componentContent(s)).nullish(),
  ),
  tree: s.field("Location of the item in the tree", tree(s)),
}));

const productFields = part((s) => ({
  ...itemFields(s),
  vatTypeId: s.field("Id of the VAT type, such as `{{ defaults.vatTypeIds.[0] }}`", s.id),
  variants: s.field(
    "All variants of the product; a stored variant that is not listed is deleted",
    z.array(variant(s)).min(1),
  ),
}));

/** Folders and documents. */
const createItem = part((s) =>
  z.object({
    language: s.field("Language of the name and the content, such as `en`", s.filledText),
    shapeIdentifier: s.field("Identifier of the shape of the item, which never changes", s.text),
    ...itemFields(s),
    ...resourceIdentifier(s),
  }),
);

/** Folders and documents: absent fields stay unchanged, components are replaced as a set. */
const updateItem = part((s) =>
  z
    .object(itemFields(s))
    .partial()
    .extend({
      language: s.field("Language to update, or to add, such as `en`", s.filledText),
      ...itemIdentity(s),
    })
    .superRefine(identifiedBy("itemId")),
);

/** Without any identity, an item is found by its external reference, or created. */
const upsertItem = part((s) => createItem(s).extend(itemIdentity(s)));

/** A product has at least one variant and a VAT type. */
const createProduct = part((s) => createItem(s).extend(productFields(s)));

/** Absent fields stay unchanged; components are replaced as a set. */
const updateProduct = part((s) =>
  z
    .object(productFields(s))
    .partial()
    .extend({
      language: s.field("Language to update, or to add, such as `en`", s.filledText),
      ...itemIdentity(s),
    })
    .superRefine(identifiedBy("itemId")),
);

/**
 * Without `tree` a new product goes to the root, without `vatTypeId` it gets the tenant's first VAT type,
 * without `variants` one default variant.
 */
const upsertProduct = part((s) =>
  createProduct(s).extend(itemIdentity(s)).partial({ tree: true, vatTypeId: true, variants: true }),
);

/** One component of an item in one language; the others stay. */
const updateItemComponent = part((s) =>
  z
    .object({
      language: s.field("Language of the content, such as `en`", s.filledText),
      component: s.field("The component to replace; null content removes it", componentContent(s)),
      ...itemIdentity(s),
    })
    .superRefine(identifiedBy("itemId")),
);

/** One component of a variant in one language; the others stay. */
const updateSkuComponent = part((s) =>
  z.object({
    language: s.field("Language of the content, such as `en`", s.filledText),
    component: s.field("The component to replace; null content removes it", componentContent(s)),
    sku: s.field("SKU of the variant", s.text),
  }),
);

/** Publishing and unpublishing. */
const publishItem = part((s) =>
  z
    .object({
      language: s.field("Language to publish or unpublish, such as `en`", s.filledText),
      includeDescendants: s.field("True to include everything below the item", s.boolean.optional()),
      ...itemIdentity(s),
    })
    .superRefine(identifiedBy("itemId")),
);

const deleteItem = part((s) => z.object(itemIdentity(s)).superRefine(identifiedBy("itemId")));

const itemCreated = ["id", "language", "versionLabel"];
const itemUpdated = ["id.id", "id.language", "id.versionLabel"];

export const itemIntents = {
  "folder/create": {
    payload: createItem,
    about: "Creates a folder",
    subject: "folder",
    result: ["id.value", "language", "versionLabel"],
  },
  "folder/update": {
    payload: updateItem,
    about: "Updates a folder in one language",
    subject: "folder",
    result: itemUpdated,
  },
  "folder/upsert": {
    payload: upsertItem,
    about: "Creates or updates a folder in one language",
    subject: "folder",
    actsAs: ["folder/create", "folder/update"],
  },
  "document/create": {
    payload: createItem,
    about: "Creates a document",
    subject: "document",
    result: itemCreated,
  },
  "document/update": {
    payload: updateItem,
    about: "Updates a document in one language",
    subject: "document",
    result: itemUpdated,
  },
  "document/upsert": {
    payload: upsertItem,
    about: "Creates or updates a document in one language",
    subject: "document",
    actsAs: ["document/create", "document/update"],
  },
  "product/create": {
    payload: createProduct,
    about: "Creates a product with its variants",
    subject: "product",
    result: itemCreated,
  },
  "product/update": {
    payload: updateProduct,
    about: "Updates a product in one language",
    subject: "product",
    result: itemUpdated,
  },
  "product/upsert": {
    payload: upsertProduct,
    about: "Creates or updates a product in one language",
    subject: "product",
    actsAs: ["product/create", "product/update"],
  },
} as const satisfies IntentRows;

export const itemActionIntents = {
  "item/updateComponent/item": {
    payload: updateItemComponent,
    about: "Replaces one component of an item",
    subject: "content of item",
    result: ["id"],
  },
  "item/updateComponent/sku": {
    payload: updateSkuComponent,
    about: "Replaces one component of a variant",
    subject: "content of a variant of product",
    result: ["id"],
  },
  "item/publish": {
    payload: publishItem,
    about: "Publishes an item in one language",
    subject: "item",
    result: ["id", "language"],
  },
  "item/unpublish": {
    payload: publishItem,
    about: "Unpublishes an item in one language",
    subject: "item",
    result: ["id", "language"],
  },
  "item/delete": {
    payload: deleteItem,
    about: "Deletes an item",
    subject: "item",
    result: ["id"],
  },
} as const satisfies IntentRows;
