import { productOperations } from "../support/concurrency/two-writers.ts";
import type { NamedAccess, PatientClient } from "./client.ts";
import type { Kill, Outage } from "./progress.ts";

/** Variants that mutations add one to, in turn: the stock shows one that was lost, and one that was repeated. */
const variants = 50;
/** Time between two mutations, in milliseconds. */
const pauseMs = 50;

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

const increase = `mutation ($sku: String!) {
  it: modifyProductVariantStock(sku: $sku, stockLocationIdentifier: "default", operation: increase, quantity: 1) {
    ... on ProductStockLocation { stock } ... on BasicError { errorName message } } }`;
const stocks = `query ($skus: [String!]) {
  productVariants(filter: {skus: $skus}, first: ${variants}) {
    ... on ProductVariantConnection { edges { node { sku stockLocations { stock } } } }
    ... on BasicError { error } } }`;

interface Stocks {
  productVariants: { edges: { node: { sku: string; stockLocations: { stock: number }[] } }[] };
}

/** Sends mutations of a tenant of its own while processes are killed, and remembers how each was answered. */
export class Writer {
  /** Mutations whose success was acknowledged, and those that nobody answered: they may have been executed or not. */
  readonly answers = { acknowledged: 0, unanswered: 0 };
  readonly #client: PatientClient;
  readonly access: NamedAccess;
  /** By the variant's number. */
  readonly #acknowledged = new Array<number>(variants).fill(0);
  readonly #unanswered = new Array<number>(variants).fill(0);
  readonly #refused: string[] = [];
  readonly #outages: { kill: Kill; ms: number }[] = [];
  #open: Kill[] = [];

  /** Creates the tenant and its products; call before anything is killed. */
  static async prepare(client: PatientClient): Promise<Writer> {
    const access = await client.tenant("writer");
    const operations = productOperations(variants);
    await client.untilEnded(access, await client.start(access, { version: "1.0.0", operations }));
    return new Writer(client, access);
  }

  private constructor(client: PatientClient, access: NamedAccess) {
    this.#client = client;
    this.access = access;
  }

  killing(kill: Kill): void {
    this.#open.push(kill);
  }

  /** From the start of each kill until a mutation sent after its end was acknowledged. */
  get outages(): Outage[] {
    return this.#outages.map(({ kill, ms }) => ({ what: kill.what, ms }));
  }

  /** Sends mutations in sequence until stopped. */
  async writeUntil(over: () => boolean): Promise<void> {
    for (let n = 0; !over(); n++) {
      await this.#add(n % variants);
      await pause();
    }
  }

  async #add(variant: number): Promise<void> {
    const over = this.#open.filter(({ what }) => what !== "");
    const sku = `s-${variant}`;
    const sent = this.#client.once(this.access, ({ graphql }) =>
      graphql<{ it: { message?: string } }>(increase, { sku }),
    );
    const answer = await sent.catch(() => undefined);
    if (answer === undefined) {
      this.#unanswered[variant]!++;
      this.answers.unanswered++;
    } else if (answer.it.message === undefined) {
      this.#acknowledged[variant]!++;
      this.answers.acknowledged++;
      this.#restored(over);
    } else this.#refused.push(answer.it.message);
  }

  /** Ends the outages of these kills. */
  #restored(kills: readonly Kill[]): void {
    const now = performance.now();
    for (const kill of kills) this.#outages.push({ kill, ms: Math.round(now - kill.at) });
    this.#open = this.#open.filter((kill) => !kills.includes(kill));
  }

  /** Reads the stock of each variant over the API; returns what was lost, repeated or refused. */
  async findWrong(): Promise<string[]> {
    const skus = Array.from({ length: variants }, (_, variant) => `s-${variant}`);
    const { productVariants } = await this.#client.as(this.access, ({ graphql }) =>
      graphql<Stocks>(stocks, { skus }),
    );
    const stockOf = new Map(
      productVariants.edges.map(({ node }) => [node.sku, node.stockLocations[0]?.stock ?? Number.NaN]),
    );
    const wrong = skus.flatMap((sku, variant) => {
      const [least, unanswered] = [this.#acknowledged[variant]!, this.#unanswered[variant]!];
      const stock = stockOf.get(sku) ?? Number.NaN;
      if (stock >= least && stock <= least + unanswered) return [];
      return [`${sku} has a stock of ${stock}; ${least} were acknowledged, ${unanswered} not answered`];
    });
    return [...wrong, ...this.#refused.map((message) => `a mutation was refused: ${message}`)];
  }
}
