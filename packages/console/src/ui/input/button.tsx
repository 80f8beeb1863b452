import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import styles from "./input.module.css";

interface ButtonProps extends ComponentProps<"button"> {
  kind?: "primary" | "destructive" | "plain";
  /** True while what it does is being done: it cannot be pressed again. */
  isBusy?: boolean;
}

/** A button. */
export const Button = ({
  kind,
  isBusy = false,
  disabled,
  className,
  type = "button",
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    disabled={disabled || isBusy}
    className={classNames(buttonClass(kind), className)}
  />
);

/** The look of a button, for a link that does what a button would. */
export const buttonClass = (kind?: ButtonProps["kind"]) => classNames(styles.button, kind && styles[kind]);
