import styles from "./search.module.css";

export const Glass = () => (
  <svg className={styles.glass} viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden="true">
    <circle cx="6" cy="6" r="4" strokeWidth="1.4" />
    <path d="m9 9 3.5 3.5" strokeWidth="1.6" />
  </svg>
);
