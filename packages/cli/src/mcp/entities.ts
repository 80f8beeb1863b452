/** A query for an entity of a kind, and what is shown of it. */
interface EntityQuery {
  readonly field: string;
  /** The arguments that may be its key, in order. */
  readonly by: readonly (
    | "id"
    | "identifier"
    | "resourceIdentifier"
    | "externalReference"
    | "sku"
    | "key"
    | "path"
  )[];
  readonly type: string;
  readonly isInLanguage?: true;
  readonly shown: string;
}

const parts = `
  fragment Parts on ComponentContent {
    ... on BooleanComponentContent { value }
    ... on DatetimeComponentContent { datetime }
    ... on GridRelationsComponentContent { gridIds }
    ... on ImagesComponentContent { images { key altText } }
    ... on ItemRelationsComponentContent { itemIds skus }
    ... on LocationComponentContent { lat long }
    ... on NumericComponentContent { number unit }
    ... on ParagraphCollectionComponentContent { paragraphs { title { text } body { plainText } } }
    ... on PropertiesTableComponentContent { sections { title properties { key value } } }
    ... on RichTextComponentContent { plainText }
    ... on SelectionComponentContent { options { key value } }
    ... on SingleLineComponentContent { text }
  }
  fragment Inner on Component { componentId type content { ...Parts } }
  fragment Components on Component {
    componentId type
    content {
      ...Parts
      ... on PieceComponentContent { identifier components { ...Inner } }
      ... on ComponentChoiceComponentContent { selectedComponent { ...Inner } }
      ... on ComponentMultipleChoiceComponentContent { selectedComponents { ...Inner } }
      ... on ContentChunkComponentContent { chunks { ...Inner } }
    }
  }`;

const person = "firstName middleName lastName companyName email phone taxNumber";
const address =
  "type firstName lastName street street2 streetNumber postalCode city state country email phone";
const variant = `sku name isDefault externalReference updatedAt attributes { attribute value }
  priceVariants { identifier price currency } stockLocations { identifier stock }`;

/** By kind: those of a search, and images. */
export const entityQueries = {
  item: {
    field: "item",
    by: ["id", "resourceIdentifier", "externalReference"],
    type: "Item",
    isInLanguage: true,
    shown: `id type language name shapeIdentifier externalReference resourceIdentifier createdAt updatedAt
      topics { id path } tree { path parentId aliases } components { ...Components }
      languages { language name availableVersions { label } }
      ... on Product { vatTypeId variants { ${variant} } }`,
  },
  variant: {
    field: "productVariant",
    by: ["sku", "externalReference"],
    type: "ProductVariant",
    isInLanguage: true,
    shown: `productId ${variant} components { ...Components } subscriptionPlans { identifier }`,
  },
  topic: {
    field: "topic",
    by: ["id", "resourceIdentifier", "path"],
    type: "Topic",
    isInLanguage: true,
    shown: "id name path pathIdentifier resourceIdentifier parentId updatedAt meta { key value }",
  },
  customer: {
    field: "customer",
    by: ["identifier"],
    type: "Customer",
    shown: `identifier type ${person} birthDate updatedAt parents { identifier type }
      externalReferences { key value } meta { key value } addresses { ${address} }`,
  },
  customerGroup: {
    field: "customerGroup",
    by: ["identifier"],
    type: "CustomerGroup",
    shown: "identifier name updatedAt parents { identifier type }",
  },
  order: {
    field: "order",
    by: ["id", "resourceIdentifier"],
    type: "Order",
    shown: `id reference type paymentStatus createdAt updatedAt resourceIdentifier additionalInformation
      customer { identifier ${person} addresses { ${address} } }
      cart { name sku quantity subTotal { gross net currency } } total { gross net currency }
      pipelines { pipelineId stageId } meta { key value }`,
  },
  contract: {
    field: "subscriptionContract",
    by: ["id", "resourceIdentifier"],
    type: "SubscriptionContractAggregate",
    shown: `id resourceIdentifier customerIdentifier updatedAt item { sku name quantity }
      status { state activateAt activeUntil renewAt } subscriptionPlan { identifier } meta { key value }`,
  },
  priceList: {
    field: "priceList",
    by: ["identifier"],
    type: "PriceList",
    shown: "identifier name modifierType startDate endDate updatedAt",
  },
  flow: {
    field: "flow",
    by: ["identifier"],
    type: "Flow",
    shown: "identifier name type updatedAt stages { identifier name }",
  },
  shape: { field: "shape", by: ["identifier"], type: "Shape", shown: "definition updatedAt" },
  piece: { field: "piece", by: ["identifier"], type: "Piece", shown: "definition updatedAt" },
  image: {
    field: "image",
    by: ["key", "resourceIdentifier"],
    type: "Image",
    shown: "key resourceIdentifier url width height size mimeType altText createdAt",
  },
} as const satisfies Record<string, EntityQuery>;

export type FoundKind = keyof typeof entityQueries;

/** A query for an entity by each of its keys: the fields `by_…` of its answer are the entity, or an error. */
export function entityQuery(kind: FoundKind): string {
  const { field, by, type, isInLanguage, shown }: EntityQuery = entityQueries[kind];
  const declared = [
    ...(by.includes("id") ? ["$id: ID!"] : []),
    ...(by.some((name) => name !== "id") ? ["$key: String!"] : []),
    ...(isInLanguage ? ["$language: String!"] : []),
  ];
  const fields = by.map((name) => {
    const given = `${name}: ${name === "id" ? "$id" : "$key"}${isInLanguage ? ", language: $language" : ""}`;
    return `by_${name}: ${field}(${given}) { ... on ${type} { ${shown} } ... on BasicError { error errorName } }`;
  });
  const fragments = shown.includes("...Components") ? parts : "";
  return `query FindEntity(${declared.join(", ")}) { ${fields.join("\n")} }${fragments}`;
}
