import type { ComponentProps } from "react";
import { classNames } from "../class-names.ts";
import styles from "./input.module.css";

interface ButtonProps extends ComponentProps<"button"> {
  kind?: "primary" | "destructive" | "plain" | "pill";
  /** True while its action runs: it cannot be pressed again. */
  isBusy?: boolean;
}

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

/** The look of a button, for a link that acts like one. */
export const buttonClass = (kind?: ButtonProps["kind"]) => classNames(styles.button, kind && styles[kind]);
