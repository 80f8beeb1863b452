import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { Pending } from "../../layout/page-states.tsx";
import { Tabs } from "../../ui/input/tabs.tsx";
import { Page, PageHead } from "../../ui/page/page.tsx";
import { Id } from "../../ui/values/id.tsx";
import { tenantDocument } from "./documents.ts";
import { Settings } from "./settings.tsx";
import { Tokens } from "./tokens.tsx";
import { UsageAndLimits } from "./usage.tsx";

const route = getRouteApi("/@{$tenant}/tenant");

/** A tenant: its usage and limits, its settings, and its access tokens. */
function TenantPage() {
  const tenant = useTenant();
  const { tab = "usage" } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({
    queryKey: ["tenant", tenant],
    queryFn: async ({ signal }) => success((await request(tenant, tenantDocument, {}, signal)).tenant),
  });
  const { data } = query;
  if (query.error !== null || data === undefined)
    return <Pending query={query} title="This tenant cannot be shown" />;
  return (
    <Page>
      <PageHead title={data.name} facts={<Id id={data.id} />} />
      <Tabs
        value={tab}
        onChange={(chosen) => void navigate({ search: { tab: chosen }, replace: true })}
        tabs={[
          { name: "usage", label: "Usage and limits", panel: <UsageAndLimits tenant={data} /> },
          { name: "settings", label: "Settings", panel: <Settings tenant={data} /> },
          { name: "tokens", label: "Access tokens", panel: <Tokens /> },
        ]}
      />
    </Page>
  );
}

export const page = createLazyRoute("/@{$tenant}/tenant")({ component: TenantPage });
