// `npm run quickstart`: a service in a temporary folder, a tenant, and a file run through it as a client
// would. With `-- --stay` the service runs until Ctrl-C, with the console for a browser.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "@lading/service";
import { main as lading } from "lading/main";

const file = "examples/quickstart.json";
const tenant = "tidewater";
const someOperationsFailed = 4;

const stays = process.argv.includes("--stay");
if (!existsSync("packages/console/dist/index.html")) {
  console.log("Building the console, which takes about 2 seconds …");
  execFileSync("npm", ["run", "--silent", "build:console"], { stdio: "inherit" });
}
const folder = await mkdtemp(join(tmpdir(), "lading-quickstart-"));
process.env.LADING_CREDENTIALS = join(folder, "credentials.json");
console.log(`Starting Lading with its embedded database in ${folder} …`);
const service = await startService({ port: 0, dataDir: folder, logLevel: "warn" });
try {
  process.env.LADING_URL = service.url;
  process.env.LADING_OPERATOR_TOKEN = service.operatorToken;
  await step(0, "tenant", "create", tenant, "--name", "Tidewater Pottery");
  if (service.consoleUrl !== undefined) console.log(`\nIts page: ${service.consoleUrl}@${tenant}/tasks`);
  await step(someOperationsFailed, "mass-operation", "run", tenant, file);
  if (stays) await stay();
  console.log(whatNext());
} finally {
  await service.stop();
  await rm(folder, { recursive: true });
}

async function step(expected: number, ...args: string[]): Promise<void> {
  console.log(`\n$ lading ${args.map((arg) => (arg.includes(" ") ? `"${arg}"` : arg)).join(" ")}`);
  const code = await lading(args);
  if (code !== expected) throw new Error(`that ended with code ${code} instead of ${expected}`);
}

/** Signs a browser in to the console, and waits for Ctrl-C. */
async function stay(): Promise<void> {
  const ended = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await step(0, "console", tenant);
  console.log(`
The service runs until Ctrl-C. For another sign-in link, in a second terminal:

  LADING_URL=${service.url} LADING_CREDENTIALS=${process.env.LADING_CREDENTIALS} npx lading console ${tenant}`);
  await ended;
}

function whatNext(): string {
  return `
One operation failed, on purpose: it takes from the stock of a SKU that does not exist. The others were
carried out all the same, and the log says which one failed and why. The exit code was ${someOperationsFailed},
so that a script notices.

The service of this quickstart ends now, and its folder is removed. To try more:

  npm run quickstart -- --stay        the same, and a console in the browser until Ctrl-C
  npx lading serve                    a service that stays, with its data in ./.lading
  npx lading tenant create my-shop    in a second terminal; the access token is kept for you
  npx lading mass-operation run my-shop ${file}
                                      once more, too: the upserts find what is there already
  npx lading mass-operation validate ${file}
                                      finds mistakes without a service, each with its line and column

Open ${file} in an editor that knows JSON Schema: it completes intents and fields.`;
}
