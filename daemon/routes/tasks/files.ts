import {
  deleteFile,
  getFile,
  getFileContent,
  listFiles,
  uploadFile,
  type FileObject,
} from '../../../src/api/tasks/files.ts';
import type { StoredFile } from '../../../src/responses/files.ts';
import { page } from '../../../src/responses/items.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { sendFile } from '../../http/send-file.ts';

/** Uploaded files. Each belongs to the key that uploaded it. */
export function registerFiles(register: RegisterRoute, { files }: Services): void {
  register(uploadFile, async ({ body, principal }) => {
    const { path, name, bytes } = body.file;
    const seconds = body['expires_after[seconds]'];
    const ttlMs = seconds === undefined ? undefined : seconds * 1000;
    return toFile(await files.add({ owner: principal, path, name, bytes, purpose: body.purpose, ttlMs }));
  });

  register(listFiles, ({ query, principal }) =>
    page(files.list(principal, query.purpose).map(toFile), query),
  );

  register(getFile, ({ params: { file_id: id = '' }, principal }) => toFile(files.find(id, principal)));

  register(deleteFile, async ({ params: { file_id: id = '' }, principal }) => {
    await files.remove(id, principal);
    return { id, object: 'file' as const, deleted: true as const };
  });

  register(getFileContent, async ({ params: { file_id: id = '' }, principal, reply }) => {
    const { bytes } = files.find(id, principal);
    return sendFile(reply, { content: await files.open(id), bytes });
  });
}

function toFile({ id, name, purpose, bytes, createdAt, expiresAt }: StoredFile): FileObject {
  return {
    id,
    object: 'file',
    bytes,
    created_at: seconds(createdAt),
    ...(expiresAt !== null && { expires_at: seconds(expiresAt) }),
    filename: name,
    purpose,
    status: 'processed',
  };
}

const seconds = (ms: number) => Math.floor(ms / 1000);
