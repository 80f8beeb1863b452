import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ComponentProps, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { classNames } from "../ui/class-names.ts";
import dialogStyles from "../ui/feedback/dialog.module.css";
import { countOf } from "../ui/format.ts";
import { longestText } from "../ui/input/field.tsx";
import type { Entry, Group } from "./entry.ts";
import { useOwnGroups } from "./own-entries.ts";
import styles from "./search.module.css";
import { useFound } from "./use-found.ts";

interface DialogProps {
  /** Has the focus after the search has led to a page. */
  main: RefObject<HTMLElement | null>;
  onClose: () => void;
  onSignOut: () => void;
}

/** The search: finds by name, id or another key what a tenant has, the console's pages and actions. */
export function Dialog({ main, onClose, onSignOut }: DialogProps) {
  const hasLeft = useRef(false);
  const leave = () => {
    hasLeft.current = true;
    onClose();
  };
  return (
    <BaseDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={dialogStyles.backdrop} />
        <BaseDialog.Popup
          className={styles.popup}
          aria-label="Search"
          finalFocus={() => (hasLeft.current ? main.current : true)}
        >
          <Finder onLeave={leave} onSignOut={onSignOut} />
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

function Finder({ onLeave, onSignOut }: { onLeave: () => void; onSignOut: () => void }) {
  const [typed, setTyped] = useState("");
  const { groups, isExactAwaited, isAwaited } = useGroups(typed.trim(), onSignOut);
  const open = useOpen(onLeave);
  const [isEntered, setEntered] = useState(false);
  const [first] = groups;
  const isReady = !isExactAwaited && first !== undefined && !first.isOld && !first.isFailure;
  const openFirst = useEffectEvent(() => {
    const entry = first?.items[0];
    if (entry !== undefined) open(entry);
  });
  useEffect(() => {
    if (isEntered && isReady) openFirst();
  }, [isEntered, isReady]);
  const onKeyDown: InputProps["onKeyDown"] = (event) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    const option = activeOption(event.currentTarget);
    const isOfText = !isExactAwaited && option !== null && option.dataset.old === undefined;
    const inNewTab = event.ctrlKey || event.metaKey;
    if (isOfText && !inNewTab) return;
    event.preventDefault();
    event.preventBaseUIHandler();
    if (!inNewTab) setEntered(true);
    else if (isOfText && option instanceof HTMLAnchorElement) window.open(option.href, "_blank", "noopener");
  };
  return (
    <Autocomplete.Root
      open
      inline
      autoHighlight="always"
      keepHighlight
      items={groups}
      filter={null}
      value={typed}
      onValueChange={(text, { reason }) => {
        if (reason === "item-press") return;
        setTyped(text);
        setEntered(false);
      }}
    >
      <div className={styles.head}>
        <Autocomplete.Input
          className={styles.input}
          aria-label="Search"
          placeholder="Name, SKU, reference, id, page or action"
          dir="auto"
          maxLength={longestText}
          onKeyDown={onKeyDown}
        />
        <BaseDialog.Close className={styles.close}>Esc</BaseDialog.Close>
      </div>
      <Autocomplete.List className={styles.list} aria-label="Found">
        {(group: Group) => <FoundGroup key={group.title} group={group} onOpen={open} onLeave={onLeave} />}
      </Autocomplete.List>
      <div className={styles.foot}>
        <Autocomplete.Status>{statusOf(typed.trim(), groups, isAwaited)}</Autocomplete.Status>
        <span className={styles.keys} aria-hidden="true">
          <kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Enter</kbd> to open, <kbd>Ctrl Enter</kbd> in a new tab
        </span>
      </div>
    </Autocomplete.Root>
  );
}

type InputProps = ComponentProps<typeof Autocomplete.Input>;

/** Lists what has the text as its key, pages and actions, and what has it elsewhere; failures last, nothing twice. */
function useGroups(text: string, onSignOut: () => void) {
  const { exact, parts, isExactAwaited, isAwaited } = useFound(text);
  const own = useOwnGroups(text, onSignOut);
  const keys = new Set(exact.flatMap(({ items }) => items.map(({ key }) => key)));
  const others = parts.map((group) => ({ ...group, items: group.items.filter(({ key }) => !keys.has(key)) }));
  const groups: Group[] = [...exact, ...own, ...others]
    .filter(({ items }) => items.length > 0)
    .toSorted((a, b) => Number(a.isFailure ?? false) - Number(b.isFailure ?? false));
  return { groups, isExactAwaited, isAwaited };
}

/** Does what a line stands for. */
function useOpen(onLeave: () => void): (entry: Entry) => void {
  const navigate = useNavigate();
  return (entry) => {
    if ("link" in entry) void navigate(entry.link);
    else entry.action();
    if (!("staysOpen" in entry)) onLeave();
  };
}

/** The line that the arrow keys have reached. */
const activeOption = (input: HTMLElement) =>
  document.getElementById(input.getAttribute("aria-activedescendant") ?? "");

function statusOf(text: string, groups: readonly Group[], isAwaited: boolean): string {
  const failed = groups.filter(({ isFailure }) => isFailure).map(({ title }) => title);
  const found = groups.filter(({ isFailure }) => !isFailure).flatMap(({ items }) => items);
  const count = found.filter(({ isMore }) => !isMore).length;
  if (text === "") return "";
  if (isAwaited) return "Searching …";
  const none =
    found.length === 0 ? `No results for “${text}”` : "No results so far: not everything was searched";
  const words = count === 0 ? none : countOf(count, "result");
  return failed.length === 0 ? words : `${words}; could not search: ${failed.join(", ")}`;
}

interface FoundGroupProps {
  group: Group;
  onOpen: (entry: Entry) => void;
  onLeave: () => void;
}

const FoundGroup = ({ group: { title, items, isOld, isFailure }, onOpen, onLeave }: FoundGroupProps) => (
  <Autocomplete.Group items={items}>
    <Autocomplete.GroupLabel className={styles.title}>{title}</Autocomplete.GroupLabel>
    <Autocomplete.Collection>
      {(entry: Entry) => (
        <Autocomplete.Item
          key={entry.key}
          value={entry}
          className={classNames(styles.entry, isFailure && styles.failure, entry.isMore && styles.more)}
          data-old={isOld || undefined}
          {...("link" in entry
            ? { render: <Link {...entry.link} />, onClick: (event) => isPlain(event) && onLeave() }
            : { onClick: () => onOpen(entry) })}
        >
          <span className={styles.name} dir="auto" lang={entry.language}>
            {entry.name}
          </span>
          {entry.details?.filter(Boolean).map((detail, at) => (
            <span key={at} className={styles.detail} dir="auto">
              {detail}
            </span>
          ))}
        </Autocomplete.Item>
      )}
    </Autocomplete.Collection>
  </Autocomplete.Group>
);

/** False for a click that opens a link in another tab or window. */
const isPlain = ({ ctrlKey, metaKey, shiftKey }: { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }) =>
  !(ctrlKey || metaKey || shiftKey);
