import type { ReactNode } from "react";
import { numberText } from "../../ui/format.ts";
import { Json } from "../../ui/values/json.tsx";
import { Time } from "../../ui/values/time.tsx";
import type { ShownComponent, ShownContent } from "../browse-model/component-fields.ts";
import styles from "./item.module.css";

/** Components with their content; nested ones are indented. */
export const Components = ({ components }: { components: readonly ShownComponent[] }) => (
  <dl className={styles.components}>
    {components.map((component) => (
      <div key={component.componentId}>
        <dt>
          {component.name ?? component.componentId}
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
  const { value, plainText, text, datetime, number, unit, options, images } = content;
  if (text !== undefined) return text ?? "–";
  if (plainText !== undefined) return <p className={styles.text}>{plainText ?? "–"}</p>;
  if (number !== undefined) return `${number}${unit ? ` ${unit}` : ""}`;
  if (datetime !== undefined) return <Time at={datetime} />;
  if (value !== undefined) return value === null ? "–" : value ? "yes" : "no";
  if (options !== undefined) return options.map(({ key, value: word }) => word ?? key).join(", ");
  if (images) return images.map(({ key, altText }) => altText ?? key).join(", ");
  return <Json value={content} name={name ?? componentId} />;
}

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
