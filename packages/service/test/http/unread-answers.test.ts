import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { unreadAnswers } from "../../src/http/limits/unread-answers.ts";

const mebibyte = 1024 ** 2;

/** Counts answers by their names, up to ten MiB of them; the names of those that were closed. */
function counting() {
  const closed: string[] = [];
  const unread = unreadAnswers(10 * mebibyte);
  const add = (tenant: string, name: string, mebibytes: number, destroyed = false) => {
    const response = new EventEmitter();
    const destroy = () => {
      closed.push(name);
      response.emit("close");
    };
    unread.add(tenant, Object.assign(response, { destroy, destroyed }) as never, mebibytes * mebibyte);
    return () => response.emit("close");
  };
  return { add, closed };
}

test("beyond the limit, the oldest unread answer of the client with the most is given up, and no other", () => {
  const { add, closed } = counting();
  add("calm", "first", 3);
  for (const name of ["a", "b", "c", "d"]) add("greedy", name, 2);
  expect(closed).toEqual(["a"]);
  add("greedy", "e", 6);
  expect(closed).toEqual(["a", "b", "c", "d"]);
});

test("answers that were sent, are short, or have lost their client do not count as unread", () => {
  const { add, closed } = counting();
  for (let i = 0; i < 30; i++) add("shop", `sent ${i}`, 5)();
  for (let i = 0; i < 1_000; i++) add("shop", `short ${i}`, 0.05);
  for (let i = 0; i < 30; i++) add("shop", `gone ${i}`, 5, true);
  add("shop", "a", 5);
  add("shop", "b", 5);
  expect(closed).toEqual([]);
});
