import { type ReactNode, useState } from "react";
import { useTenant } from "../../api/session.ts";
import styles from "./browse-model.module.css";

/** An image where it is used. */
interface UsedImage {
  key: string;
  /** The URL that serves it as stored; null if no image is registered under the key. */
  url: string | null;
  altText?: string | null;
}

interface ImageProps {
  /** Nothing is a placeholder. */
  image: UsedImage | undefined;
  /** The side of the square it is shown in, in pixels. */
  size: number;
  /** Its meaning, if the image has no text of its own; empty for one next to its name. */
  alt?: string;
}

/** An image in a square: a thumbnail, else as stored, else a placeholder. The square never changes its size. */
export function Image({ image, size, alt }: ImageProps) {
  const tenant = useTenant();
  const [failed, setFailed] = useState<readonly string[]>([]);
  const addresses = image?.url ? [thumbnailOf(tenant, image.key, size), image.url] : [];
  const address = addresses.find((each) => !failed.includes(each));
  return (
    <span className={styles.image} style={{ width: size, height: size }}>
      {address === undefined ? (
        <Placeholder />
      ) : (
        <img
          key={address}
          src={address}
          alt={alt ?? image?.altText ?? image?.key.split("/").at(-1) ?? ""}
          title={image?.altText ?? undefined}
          loading="lazy"
          decoding="async"
          width={size}
          height={size}
          onError={() => setFailed([...failed, address])}
        />
      )}
    </span>
  );
}

/** As `Image.thumbnails` of the API: the narrowest that is sharp on a screen with two pixels for each of the page's. */
const thumbnailOf = (tenant: string, key: string, size: number) =>
  `/@${tenant}/thumbnails/${[80, 240].find((width) => width >= 2 * size) ?? 640}/${key}`;

const Placeholder = () => (
  <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
    <path d="M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 5" />
    <circle cx="15.5" cy="9" r="1.5" />
  </svg>
);

interface PicturedProps {
  images: readonly UsedImage[] | null | undefined;
  children: ReactNode;
}

/** The first of an entity's images before its name, in a row of a table. */
export const Pictured = ({ images, children }: PicturedProps) => (
  <span className={styles.pictured}>
    <Image image={images?.[0]} size={24} alt="" />
    <span>{children}</span>
  </span>
);

export const Images = ({ images }: { images: readonly UsedImage[] }) => (
  <span className={styles.pictures}>
    {images.map((image) => (
      <Image key={image.key} image={image} size={120} />
    ))}
  </span>
);
