import type { ReactNode } from "react";
import { numberText } from "../../ui/format.ts";
import { Json } from "../../ui/values/json.tsx";
import { Time } from "../../ui/values/time.tsx";
import browseStyles from "../browse-model/browse-model.module.css";
import type { ShownComponent, ShownContent } from "../browse-model/component-fields.ts";
import { Fact, Facts } from "../browse-model/facts.tsx";
import { Images } from "../browse-model/image.tsx";
import { ItemLink, SkuLink } from "../browse-model/links.tsx";
import { Stored } from "../browse-model/stored.tsx";
import styles from "./item.module.css";

/** Components with their content; nested ones are indented. */
export const Components = ({ components }: { components: readonly ShownComponent[] }) => (
  <dl className={styles.components}>
    {components.map((component) => (
      <div key={component.componentId}>
        <dt>
          <Stored>{component.name ?? component.componentId}</Stored>
          <small>
            <code>{component.componentId}</code> {component.type}
          </small>
        </dt>
        <dd>
          <Content component={component} />
        </dd>
      </div>
    ))}
  </dl>
);

function Content({ component: { content, name, componentId } }: { component: ShownComponent }): ReactNode {
  const within = componentsIn(content);
  if (within !== undefined)
    return within.map((components, i) => <Components key={keyOf(components, i)} components={components} />);
  const { value, plainText, text, datetime, number, unit, options, images, skus, itemIds } = content;
  if (text !== undefined) return <Stored>{text ?? "–"}</Stored>;
  if (plainText !== undefined) return <Prose>{plainText ?? "–"}</Prose>;
  if (number !== undefined) return `${number}${unit ? ` ${unit}` : ""}`;
  if (datetime !== undefined) return <Time at={datetime} />;
  if (value !== undefined) return value === null ? "–" : value ? "yes" : "no";
  if (options !== undefined)
    return <Stored>{options.map(({ key, value: word }) => word ?? key).join(", ")}</Stored>;
  if (images) return <Images images={images} />;
  if (skus || itemIds) return <Relations skus={skus ?? []} itemIds={itemIds ?? []} />;
  if (content.paragraphs) return <Paragraphs paragraphs={content.paragraphs} />;
  if (content.sections) return <Sections sections={content.sections} />;
  return <Json value={content} name={name ?? componentId} />;
}

/** Text of several paragraphs. */
const Prose = ({ children }: { children: string }) => (
  <p className={styles.text} dir="auto">
    {children}
  </p>
);

const Relations = ({ skus, itemIds }: { skus: readonly string[]; itemIds: readonly string[] }) => (
  <span className={browseStyles.list}>
    {itemIds.map((id) => (
      <ItemLink key={id} id={id} name={null} isStop />
    ))}
    {skus.map((sku) => (
      <SkuLink key={sku} sku={sku} isStop />
    ))}
  </span>
);

const Paragraphs = ({ paragraphs }: { paragraphs: NonNullable<ShownContent["paragraphs"]> }) =>
  paragraphs.map(({ title, body, images }, i) => (
    // Paragraphs have no key, and are replaced as a whole.
    <div key={i}>
      {title?.text && (
        <strong>
          <Stored>{title.text}</Stored>
        </strong>
      )}
      {body?.plainText && <Prose>{body.plainText}</Prose>}
      {images && images.length > 0 && <Images images={images} />}
    </div>
  ));

const Sections = ({ sections }: { sections: NonNullable<ShownContent["sections"]> }) =>
  sections.map(({ title, properties }, i) => (
    <div key={i}>
      {title && (
        <strong>
          <Stored>{title}</Stored>
        </strong>
      )}
      <Facts>
        {(properties ?? []).map(({ key, value }) => (
          <Fact key={key} name={key}>
            {value ?? "–"}
          </Fact>
        ))}
      </Facts>
    </div>
  ));

const keyOf = (components: readonly ShownComponent[], index: number) =>
  `${index} ${components.map(({ componentId }) => componentId).join(" ")}`;

/** The groups of components nested in one; undefined for a component with a value of its own. */
function componentsIn({ components, selectedComponent, selectedComponents, chunks }: ShownContent) {
  if (components !== undefined) return [components];
  if (selectedComponent !== undefined) return selectedComponent === null ? [] : [[selectedComponent]];
  return selectedComponents === undefined ? chunks : [selectedComponents];
}

/** A price or a stock, with as many decimal places as it has. */
export const amountText = (amount: number) => (Number.isInteger(amount) ? numberText(amount) : `${amount}`);
