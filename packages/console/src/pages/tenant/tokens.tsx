import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useRole, useTenant } from "../../api/session.ts";
import { Empty } from "../../ui/feedback/feedback.tsx";
import { pageOf, useCursorRows } from "../../ui/table/paged-rows.ts";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Command, Id } from "../../ui/values/id.tsx";
import { Time } from "../../ui/values/time.tsx";
import { type Token, tokensDocument } from "./documents.ts";
import styles from "./tenant.module.css";

/** A tenant's access tokens, without their secrets; for admins. */
export function Tokens() {
  const tenant = useTenant();
  const command = `lading token create ${tenant} --name my-import --expires 90d`;
  const role = useRole();
  if (role !== "admin")
    return (
      <Empty title="You cannot see access tokens" command={command}>
        You have the role {role}. The operator can create a token with the role admin:
      </Empty>
    );
  return (
    <>
      <p className={styles.note}>
        Tokens are created and revoked with the CLI, using the operator’s token, which never goes into a
        browser:
        <Command text={command} />
        <Command text={`lading token revoke ${tenant} <token>`} />
      </p>
      <TokenTable />
    </>
  );
}

function TokenTable() {
  const tenant = useTenant();
  const rows = useCursorRows({
    queryKey: ["tokens", tenant],
    pageSize: 100,
    fetchPage: async (after, signal) => {
      const answer = await request(tenant, tokensDocument, { first: 100, after }, signal);
      return pageOf(success(answer.accessTokens));
    },
  });
  return <Table label="Access tokens" columns={columns} rows={rows} />;
}

const columns: Column<Token>[] = [
  { header: "Name", width: 10, grow: 1, cell: ({ name }) => <span title={name}>{name}</span> },
  { header: "Role", width: 5, cell: ({ role }) => role },
  { header: "Id", width: 11, cell: ({ id }) => <Id id={id} /> },
  { header: "Created", width: 9, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { header: "Last used", width: 9, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  {
    header: "Expires",
    width: 9,
    cell: ({ expiresAt }) => (expiresAt === null ? "never" : <Time at={expiresAt} />),
  },
];
