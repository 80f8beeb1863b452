import { HeadRow } from "../../ui/table/plain-table.tsx";
import styles from "./kind.module.css";

interface Definition {
  id: string;
  name: string;
  type: string;
  description: string | null;
}

/** The components that a shape or a piece defines. */
export const Definitions = ({ title, components }: { title: string; components: readonly Definition[] }) =>
  components.length > 0 && (
    <table className={styles.definitions}>
      <caption>{title}</caption>
      <HeadRow names={["Id", "Name", "Type"]} />
      <tbody>
        {components.map(({ id, name, type, description }) => (
          <tr key={id}>
            <th scope="row">
              <code>{id}</code>
            </th>
            <td title={description ?? undefined}>{name}</td>
            <td>{type}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
