import { globSync, readFileSync } from "node:fs";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../packages/cli/package.json" with { type: "json" };
import { called } from "../../packages/cli/test/support/agent.ts";
import { apiReports } from "../../scripts/api-report.ts";
import { page } from "../docs/pages.ts";
import { askBroker } from "../support/broker.ts";
import { serve } from "../support/lading.ts";
import { startIdentityProvider } from "../support/servers/identity-provider.ts";
import { hasOtherNodes, hasRegistry, oldest, openHome, type UserHome } from "../support/user-home.ts";

const root = join(import.meta.dirname, "../..");
const { versions } = process;

let user: UserHome;
let home: string;
let folder: string;
let run: UserHome["run"];
let tarballs: string[];

beforeAll(async () => {
  user = await openHome();
  ({ home, folder, run } = user);
  tarballs = globSync(join(home, "Downloads/*.tgz"));
  run("npm", [
    "install",
    ...(hasRegistry ? [] : ["--offline"]),
    join(home, `Downloads/lading-${manifest.version}.tgz`),
  ]);
  run("npm", ["pkg", "set", "type=module"]);
});
afterAll(() => user.remove());

test("the packages contain code, types, README and licence, but no tests", () => {
  expect(tarballs.map((file) => basename(file)).sort()).toEqual([
    `lading-${manifest.version}.tgz`,
    `lading-schema-${manifest.version}.tgz`,
    `lading-transform-${manifest.version}.tgz`,
  ]);
  for (const tarball of tarballs) {
    const files = run("tar", ["-tzf", tarball]).stdout.trim().split("\n");
    const folders = files.map((file) => file.split("/")[1] ?? "");
    const texts = ["README.md", "LICENSE", "THIRD-PARTY-LICENSES.txt", "sbom.cdx.json"];
    const allowed = [...texts, "package.json", "dist", "bin", "docs", "examples", "deploy", "node_modules"];
    const schemas = ["mass-operation.schema.json", "conversion-map.schema.json"];
    expect([...allowed, ...schemas]).toEqual(expect.arrayContaining(folders));
    for (const name of ["README.md", "LICENSE", "dist"]) expect(folders).toContain(name);
    const own = files.filter((file) => !file.includes("/node_modules/") && !file.includes("/deploy/"));
    expect(own.filter((file) => /[./]test\b|(?<!\.d)\.ts$/.test(file))).toEqual([]);
    expect(files.filter((file) => file.includes("secrets/"))).toEqual([]);
  }
});

test("the exports are those of packages/*/api: `npm run api-report` renews it, and what breaks a program needs a new major version", async () => {
  const reports = await apiReports(join(await askBroker("/release"), "../.."));
  expect(Object.keys(reports).sort()).toEqual(globSync("packages/*/api/*.d.ts", { cwd: root }).sort());
  for (const [file, text] of Object.entries(reports)) expect(text, file).toBe(page(file));
});

test("the JSON Schemas that the package of schemas exports are the recorded ones", () => {
  const [schema = ""] = tarballs.filter((file) => basename(file).startsWith("lading-schema-"));
  const packed = (path: string) => run("tar", ["-xzOf", schema, join("package", path)]).stdout;
  const { exports }: { exports: Record<string, unknown> } = JSON.parse(packed("package.json"));
  const schemas = Object.values(exports).filter((target) => /\.schema\.json$/.test(String(target)));
  expect(schemas).toHaveLength(2);
  for (const path of schemas.map(String)) expect(packed(path)).toBe(page(join("packages/schema", path)));
});

test("publint and arethetypeswrong find nothing", () => {
  for (const tarball of tarballs) {
    run(join(root, "node_modules/.bin/publint"), ["run", tarball, "--strict"]);
    run(join(root, "node_modules/.bin/attw"), [tarball, "--profile", "esm-only"]);
  }
});

test("the declarations do not import the GraphQL typing package, which is not installed", () => {
  const declarations = globSync(join(folder, "node_modules/lading/dist/**/*.d.ts"));
  expect(declarations).not.toEqual([]);
  expect(declarations.filter((file) => readFileSync(file, "utf8").includes("gql.tada"))).toEqual([]);
});

test.each([
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
])(
  "a program that starts a service compiles with module %s, resolution %s",
  async (module, moduleResolution) => {
    const program = `import { startService } from "lading";\nexport const service = await startService({ port: 0 });\n`;
    await writeFile(join(folder, "program.ts"), program);
    const compilerOptions = {
      module,
      moduleResolution,
      target: "es2022",
      strict: true,
      noEmit: true,
      types: [],
    };
    const config = join(folder, `tsconfig.${moduleResolution}.json`);
    await writeFile(config, JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", config]);
  },
);

describe.each([
  [versions.node, true],
  [`${oldest} (needs npm's registry)`, hasOtherNodes],
])("on Node %s", (name, canBe) => {
  const [version = ""] = name.split(" ");
  const bin = () => join(folder, "node_modules/.bin/lading");
  let node: string;

  beforeAll(async () => {
    if (canBe) node = version === versions.node ? process.execPath : await user.installNode(version);
  });

  test.skipIf(!canBe)(
    "the installed command serves, creates a tenant, runs the first file and checks it",
    async () => {
      const lading = (args: readonly string[], code = 0) => run(bin(), args, { node, code });
      expect(run("npx", ["--offline", "lading", "--version"], { node }).stdout).toMatch(
        new RegExp(`^${manifest.version.replaceAll(".", "\\.")} \\(commit [0-9a-f]{12}\\)\n$`),
      );
      const data = join(folder, `data-${version}`);
      const service = await serve(["--data-dir", data], { LADING_LOG_LEVEL: "warn" }, [node, bin()]);
      const url = ["--url", service.url];
      expect(lading(["tenant", "create", "acme", ...url, "--data-dir", data]).stderr).not.toContain(
        "Warning",
      );
      const file = "node_modules/lading/examples/quickstart.json";
      expect(lading(["mass-operation", "validate", file]).stdout).toContain("0 errors, 0 warnings");
      const someFailed = 4;
      expect(lading(["mass-operation", "run", "acme", file, ...url], someFailed).stdout).toContain("22 ");
      expect(await service.stop()).toMatchObject({ code: 0 });

      const [copy, tenantsCopy] = [`${data}-copy`, `${data}-tenant`];
      const away = ["--data-dir", data, "--to-data-dir"];
      expect(lading(["move-data", ...away, copy]).stdout).toContain("All data of");
      lading(["tenant", "move", "acme", ...away, tenantsCopy]);
      const other = await serve(["--data-dir", copy], { LADING_LOG_LEVEL: "warn" }, [node, bin()]);
      const tenants = lading(["tenant", "list", "--url", other.url, "--data-dir", copy]);
      expect(tenants.stdout).toContain("acme");
      expect(await other.stop()).toMatchObject({ code: 0 });
    },
  );

  test.skipIf(!canBe)(
    "an agent with a planner's token works on the quickstart's shop by the installed command, from an empty folder, and a person runs its plan",
    async () => {
      const lading = (args: readonly string[], code = 0) => run(bin(), args, { node, code }).stdout;
      const [data, empty] = [join(folder, `agent-${version}`), join(home, `empty-${version}`)];
      await mkdir(empty);
      const service = await serve(["--data-dir", data], { LADING_LOG_LEVEL: "warn" }, [node, bin()]);
      const url = ["--url", service.url];
      lading(["tenant", "create", "acme", ...url, "--data-dir", data]);
      const someFailed = 4;
      const runFile = (file: string) => lading(["mass-operation", "run", "acme", file, ...url], someFailed);
      runFile("node_modules/lading/examples/quickstart.json");
      const role = ["--name", "agent", "--role", "planner", "--json"];
      const token = JSON.parse(lading(["token", "create", "acme", ...role, ...url, "--data-dir", data]));
      const client = new Client({ name: "test", version: "1" });
      const env = {
        LADING_ACCESS_TOKEN_ID: token.id,
        LADING_ACCESS_TOKEN_SECRET: token.secret,
      };
      const args = [bin(), "mcp", "acme", ...url, "--allow-run"];
      await client.connect(
        new StdioClientTransport({ command: node, args, env, cwd: empty, stderr: "pipe" }),
      );
      const call = async (name: string, input: Record<string, unknown> = {}) =>
        called(await client.callTool({ name, arguments: input }));

      expect((await call("describe_content_model")).says).toContain("3 shapes, 1 piece");
      const { data: found } = await call("find", { kind: "variant", key: "bowl-gull" });
      expect(found.variant.priceVariants).toEqual([expect.objectContaining({ price: 49 })]);
      expect((await call("intent", { name: "product/variant/price/modify" })).text).toContain("JSON Schema");
      const price = { intent: "product/variant/price/modify", sku: "bowl-gull", price: 52 };
      expect((await call("validate", { operations: [price] })).text).toContain(
        "/operations/0/priceVariantIdentifier",
      );
      const { text } = await call("plan", { operations: [{ ...price, priceVariantIdentifier: "default" }] });
      const [, plan = ""] = /lading mass-operation run acme --plan ([0-9a-f]{24})/.exec(text) ?? [];
      await expect(call("run_by_plan", { plan })).rejects.toThrow("run_by_plan");
      const { contents } = await client.readResource({ uri: "lading://docs/templates.md" });
      expect(contents[0]).toMatchObject({ text: expect.stringMatching(/^# Templates/) });
      expect(lading(["mass-operation", "run", "acme", "--plan", plan, ...url])).toContain("1 updated");
      const { data: changed } = await call("find", { kind: "variant", key: "bowl-gull" });
      expect(changed.variant.priceVariants).toEqual([expect.objectContaining({ price: 52 })]);

      const stockOf = (sku: string, quantity: number) => ({
        ...{ intent: "product/variant/stock/modify", sku, stockLocationIdentifier: "default" },
        ...{ operation: "increase", quantity },
      });
      const skus = ["mug-harbour-gold", "mug-harbour-pink", "bowl-gull", "mug-harbour-grey"];
      const operations = skus.map((sku) => stockOf(sku, 1));
      await writeFile(join(folder, "stock.json"), JSON.stringify({ version: "1.0.0", operations }));
      runFile("stock.json");
      const newest = await call("task");
      expect(newest.says).toContain("The newest 4 tasks");
      const [stock, ...others] = newest.data.tasks;
      const task = await call("task", { task: stock.id });
      expect(task.says.split("\n")).toEqual([
        expect.stringMatching(
          /^Task [0-9a-f]{24}, run: complete\. 4 of 4 operations, 1 updated, 3 failed\.$/,
        ),
        "For the causes of 3 failures: failures.",
      ]);
      const first = await call("failures", { task: stock.id, limit: 2 });
      expect(first.says.split("\n")).toEqual([
        "3 operations failed, 0 partly; 0 repaired since.",
        "1 cause, and 2 operations that failed.",
        "For more: after. For operations of one cause: cause.",
      ]);
      expect(first.data.causes).toMatchObject([{ count: 3, firstIndex: 0 }]);
      const [{ cause }] = first.data.causes;
      const rest = await call("failures", { task: stock.id, limit: 2, cause, after: first.data.after });
      expect(rest.says).not.toContain("For more");
      const samples = [...first.data.samples, ...rest.data.samples];
      expect(samples.map(({ input }) => input.sku)).toEqual(skus.filter((sku) => sku.startsWith("mug")));
      for (const { message, input } of samples) expect(message).toContain(input.sku);

      const quickstart = await call("failures", { task: others.at(-1).id });
      expect(quickstart.says).toMatch(/^1 operation failed.* need an admin's token: one of them/s);
      expect(quickstart.text).not.toContain("mug-harbour-gold");
      await client.close();
      expect(await readdir(empty)).toEqual([]);
      expect(await service.stop()).toMatchObject({ code: 0 });
    },
  );

  test.skipIf(!canBe)(
    "the installed command reaches an identity provider, and without one does not load the library",
    async () => {
      const libraries = globSync(join(folder, "node_modules/lading/dist/**/*.js")).filter((file) =>
        readFileSync(file, "utf8").includes("OAUTH_JWT_CLAIM_COMPARISON_FAILED"),
      );
      expect(libraries).toHaveLength(1);
      const [library = ""] = libraries;
      const idp = await startIdentityProvider("http://localhost");
      const withToken = { LADING_LOG_LEVEL: "warn", LADING_OPERATOR_TOKEN: "a token of the operator" };
      const providerOf = async (env: Record<string, string>) => {
        const service = await serve(["--memory"], { ...withToken, ...env }, [node, bin()]);
        const answer = await fetch(`${service.url}/console/oidc`);
        expect(await service.stop()).toMatchObject({ code: 0 });
        return answer.json();
      };
      const set = { ISSUER: idp.issuer, CLIENT_ID: "lading", CLIENT_SECRET: "a secret" };
      const env = Object.fromEntries(
        Object.entries(set).map(([name, value]) => [`LADING_OIDC_${name}`, value]),
      );
      const name = new URL(idp.issuer).host;
      expect(await providerOf(env)).toEqual({ provider: { name, isAway: false } });
      await idp.close();
      await rename(library, `${library}.away`);
      expect(await providerOf({})).toEqual({ provider: null });
      await rename(`${library}.away`, library);
    },
  );

  test.skipIf(!canBe)("the installed command converts a table", async () => {
    await writeFile(join(folder, "table.csv"), "id,born\nada,10.12.1815\n");
    const map = {
      columns: { born: { type: "date", format: "D.M.YYYY" } },
      operations: [
        {
          intent: "customer/upsert",
          identifier: "[[id]]",
          type: "individual",
          birthDate: "[[born]]",
        },
      ],
    };
    await writeFile(join(folder, "map.json"), JSON.stringify(map));
    const { stdout } = run(bin(), ["convert", "table.csv", "--map", "map.json"], { node });
    expect(stdout).toContain('"birthDate":"1815-12-10T00:00:00.000Z"');
  });
});

test.skipIf(!hasOtherNodes)(
  "on a much older Node (needs npm's registry) the command names the required version, and exits with 1",
  async () => {
    const node = await user.installNode("12.22.12");
    const { stdout, stderr } = run(join(folder, "node_modules/.bin/lading"), ["--version"], {
      node,
      code: 1,
    });
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^lading needs Node 22\.15 or newer; this is v12\.22\.12 \([^\n]+\n$/);
  },
);
