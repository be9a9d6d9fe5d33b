// Sending a file to the file service, with word of how much of it is there.
import { ApiError } from '@equipment-platform/client';
import type { StoredFile } from '@equipment-platform/client/files';
import { currentCaller } from './session';
import { settings } from './settings';

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];
/** The file service takes no larger ones. */
export const MOST_BYTES = 20 * 1024 * 1024;

/** `entityId` is what the file belongs to. XMLHttpRequest, since fetch does not say how much is sent. */
export function sendFile(entityId: string, file: File, progress: (share: number) => void): Promise<StoredFile> {
  const query = new URLSearchParams({ entityType: 'EQUIPMENT', entityId, fileName: file.name.slice(0, 255) || 'file' });
  const request = new XMLHttpRequest();
  request.open('POST', `${settings().filesUrl ?? ''}/api/v1/files?${query}`);
  request.setRequestHeader('Authorization', `Bearer ${currentCaller()?.token ?? ''}`);
  request.responseType = 'json';
  request.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 0 : loaded / total);
  return new Promise((done, fail) => {
    request.onload = () =>
      request.status === 201 ? done(request.response as StoredFile) : fail(new ApiError(new Response(null, { status: request.status }), request.response));
    request.onerror = () => fail(new TypeError('the file service cannot be reached'));
    request.send(file);
  });
}
