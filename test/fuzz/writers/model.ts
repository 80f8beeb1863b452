/** The effect of an acknowledged change on the model. */
export type Effect =
  | { kind: "stock"; sku: string; change: number }
  /** Replaces a list by another as a whole. */
  | { kind: "list"; name: string; members: readonly string[] }
  /** Adds one member to a list that nothing else changes. */
  | { kind: "member"; name: string; member: string }
  /** Takes a key that only one may have. */
  | { kind: "key"; name: string };

export interface Stored {
  stock: ReadonlyMap<string, number>;
  lists: ReadonlyMap<string, readonly string[]>;
  keys: ReadonlyMap<string, number>;
}

interface Replacement {
  members: string;
  sentAt: number;
  acknowledgedAt: number;
}

/** The data that a tenant must have after all acknowledged changes, in any order of the writers. */
export class Model {
  readonly #stock = new Map<string, number>();
  readonly #replacements = new Map<string, Replacement[]>();
  readonly #members = new Map<string, Set<string>>();
  readonly #keys = new Map<string, number>();

  /** Notes what was acknowledged; the change was made some time between the two times. */
  note(effect: Effect, sentAt: number, acknowledgedAt: number): void {
    if (effect.kind === "stock")
      this.#stock.set(effect.sku, (this.#stock.get(effect.sku) ?? 0) + effect.change);
    else if (effect.kind === "key") this.#keys.set(effect.name, (this.#keys.get(effect.name) ?? 0) + 1);
    else if (effect.kind === "member")
      this.#members.set(effect.name, (this.#members.get(effect.name) ?? new Set()).add(effect.member));
    else {
      const others = this.#replacements.get(effect.name) ?? [];
      this.#replacements.set(effect.name, others);
      others.push({ members: effect.members.join(), sentAt, acknowledgedAt });
    }
  }

  /** The stored data that no order of the acknowledged changes can have left. */
  contradictions(stored: Stored): string[] {
    const wrong: string[] = [];
    for (const [sku, stock] of this.#stock)
      if (stored.stock.get(sku) !== stock)
        wrong.push(`the stock of ${sku} is ${stored.stock.get(sku)}; acknowledged changes make ${stock}`);
    for (const [name, replacements] of this.#replacements) {
      const left = (stored.lists.get(name) ?? []).join();
      const last = replacements.filter(
        (one) => !replacements.some((other) => other.sentAt > one.acknowledgedAt),
      );
      if (!last.some(({ members }) => members === left))
        wrong.push(`${name}: stored is [${left}]; the last lists were ${last.map((l) => `[${l.members}]`)}`);
    }
    for (const [name, members] of this.#members) {
      const left = new Set(stored.lists.get(name));
      const lost = [...members].filter((member) => !left.has(member));
      if (lost.length > 0) wrong.push(`${name} has lost ${lost}, which were acknowledged`);
    }
    for (const [name, takers] of this.#keys)
      if (takers !== 1 || stored.keys.get(name) !== 1)
        wrong.push(`the key ${name} was given to ${takers}, and ${stored.keys.get(name)} have it`);
    return wrong;
  }

  /** The number of acknowledged changes, which shows that a run did something. */
  get acknowledged(): number {
    return [this.#stock, this.#replacements, this.#members, this.#keys].reduce((n, { size }) => n + size, 0);
  }
}
