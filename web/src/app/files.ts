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

/** For `srcset`: the browser takes the width that its screen needs. */
export const widthsOf = (id: string, ...widths: Width[]): string => widths.map((width) => `${fileUrl(id, width)} ${width}w`).join(', ');
