import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { request } from "../../api/request.ts";
import { useTenant } from "../../api/session.ts";
import { PageFailure, PagePending } from "../../layout/page-states.tsx";
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
  const { data, error, refetch } = useQuery({
    queryKey: ["tenant", tenant],
    queryFn: async ({ signal }) => success((await request(tenant, tenantDocument, {}, signal)).tenant),
  });
  if (error !== null)
    return <PageFailure title="This tenant cannot be shown" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <PagePending />;
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
