// The file service: where files are, and how wide a picture is asked for.
import { settings } from './settings';

/** Whether there is a file service: without one pictures are drawings and files are not uploaded. */
export const hasFiles = (): boolean => settings().filesUrl !== undefined;

/** The widths that the file service makes, from openapi/files.yaml. */
type Width = 160 | 320 | 480 | 640 | 960 | 1280 | 1920;

/** Address of a file, or of a picture of it that is at most `width` pixels wide. */
export function fileUrl(id: string, width?: Width): string {
  return `${settings().filesUrl ?? ''}/api/v1/files/${id}${width === undefined ? '' : `?width=${width}`}`;
}

const WIDTHS: readonly Width[] = [320, 480, 640, 960, 1280];

/** The browser takes the width that its screen needs. */
export const srcSetOf = (id: string): string => WIDTHS.map((width) => `${fileUrl(id, width)} ${width}w`).join(', ');

/** How wide pictures are shown. On a phone they may be a tenth softer than its screen: nobody sees it, and half the bytes come. */
export const SIZES = {
  card: '(max-width: 40rem) calc(90vw - 2rem), 19rem',
  gallery: '(max-width: 60rem) calc(90vw - 2rem), 44rem',
} as const;
