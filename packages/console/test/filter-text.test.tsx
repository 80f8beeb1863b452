import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FilterText } from "../src/ui/input/field.tsx";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a filter is applied when it is left, not later, when a link may lead to another page", () => {
  const onChange = vi.fn();
  render(<FilterText label="Search" value={undefined} onChange={onChange} />);
  const input = screen.getByRole("searchbox", { name: "Search" });
  fireEvent.change(input, { target: { value: "mug" } });
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.blur(input);
  expect(onChange.mock.calls).toEqual([["mug"]]);
  vi.advanceTimersByTime(1_000);
  expect(onChange).toHaveBeenCalledTimes(1);
});
