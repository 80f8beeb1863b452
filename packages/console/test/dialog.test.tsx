import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { ConfirmDialog } from "../src/ui/feedback/dialog.tsx";

/** Shows a dialog; `answer` ends its action. */
function ask(refusal?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onConfirm = vi.fn(() => promise);
  const onClose = vi.fn();
  const client = new QueryClient();
  const dialog = (reason: string | undefined) => (
    <QueryClientProvider client={client}>
      <ConfirmDialog
        title="Cancel the task?"
        description="It ends here."
        verb="Cancel the task"
        refusal={reason}
        onConfirm={onConfirm}
        onClose={onClose}
      />
    </QueryClientProvider>
  );
  const { rerender, unmount } = render(dialog(refusal));
  return {
    refuse: (reason: string) => rerender(dialog(reason)),
    verb: screen.getByRole("button", { name: "Cancel the task" }),
    onConfirm,
    onClose,
    resolve,
    reject,
    unmount,
  };
}

describe("a dialog that confirms an action", () => {
  test("stays open with the reason when the action is refused, and can be confirmed again", async () => {
    const { verb, onConfirm, onClose, reject } = ask();
    fireEvent.click(verb);
    reject(new Error("The task has ended"));
    expect((await screen.findByRole("alert")).textContent).toBe("The task has ended");
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.click(verb);
    await waitFor(() => expect(onConfirm).toHaveBeenCalledTimes(2));
  });

  test("does it once for two clicks, and closes when it is done", async () => {
    const { verb, onConfirm, onClose, resolve } = ask();
    fireEvent.click(verb);
    await waitFor(() => expect(verb).toHaveProperty("disabled", true));
    fireEvent.click(verb);
    expect(onConfirm).toHaveBeenCalledTimes(1);
    expect(onClose).not.toHaveBeenCalled();
    resolve();
    await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  });

  test("cannot be confirmed if the action would do nothing, and says why", () => {
    const { verb, onConfirm } = ask("It has ended.");
    screen.getByText("It has ended.");
    fireEvent.click(verb);
    expect(verb).toHaveProperty("disabled", true);
    expect(onConfirm).not.toHaveBeenCalled();
  });

  test("has one reason once the action would do nothing, not also an earlier refusal", async () => {
    const { verb, reject, refuse } = ask();
    fireEvent.click(verb);
    reject(new Error("It is being cancelled: wait for its end"));
    await screen.findByRole("alert");
    refuse("It has ended.");
    screen.getByText("It has ended.");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("closes no later dialog when its action ends after it was closed", async () => {
    const { verb, onConfirm, onClose, resolve, unmount } = ask();
    fireEvent.click(verb);
    await waitFor(() => expect(onConfirm).toHaveBeenCalled());
    unmount();
    resolve();
    await new Promise((done) => setTimeout(done, 20));
    expect(onClose).not.toHaveBeenCalled();
  });

  test("does nothing when it is closed", () => {
    const { onConfirm, onClose } = ask();
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(onClose).toHaveBeenCalledTimes(1);
    expect(onConfirm).not.toHaveBeenCalled();
  });
});
