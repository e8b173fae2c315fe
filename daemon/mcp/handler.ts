import { writeFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { anySignal } from '../../src/base/any-signal.ts';
import type { Access } from '../../src/api/endpoint.ts';
import { newId } from '../../src/base/ids.ts';
import { baseUrls } from '../../src/base/presence.ts';
import { createHttp } from '../../src/api/http/http.ts';
import { createMcpServer, type Serving } from '../../src/api/mcp/server.ts';
import type { Services } from '../compose.ts';
import { createSessions } from './sessions.ts';

export type McpHandler = (request: Request, options: Required<McpHandlerRequestOptions>) => Promise<Response>;

/** Serves MCP over HTTP to clients of every revision of the protocol. */
export function openMcpHandler(services: Services): McpHandler {
  const createServer = () => createMcpServer(servingOf(services));
  const current = createMcpHandler(createServer, { legacy: 'reject' });
  const sessions = createSessions({ clock: services.clock, createServer });
  return async (request, options) => {
    const isLegacy = await isLegacyRequest(request, options.parsedBody);
    return isLegacy ? sessions.serve(request, options) : current.fetch(request, options);
  };
}

function servingOf({ boot, stopping, settings, log }: Services): Serving {
  return {
    /** A tool's request passes the same checks as any other, with the caller's own key, and ends with its client. */
    connect: async (context) => {
      const { certificate, ...address } = boot.address();
      const url = baseUrls({ ...address, ...(certificate && { certificate }) }).management_url;
      const target = { url, remote: false, ...tokenOf(context), ...(certificate && { certificate }) };
      // The caller of the tool decides whether to retry.
      return createHttp(target, anySignal(stopping.signal, clientOf(context)), { maxRetries: 0 });
    },
    mayUse: (access, { http }) => opens(http?.authInfo?.scopes ?? [], access),
    onBug: ({ cause, message }) => log.error({ err: cause }, `an MCP tool failed: ${message}`),
    withUpload: async (bytes, work) => {
      await mkdir(settings.paths.uploads, { recursive: true, mode: 0o700 });
      const path = join(settings.paths.uploads, newId('upl'));
      try {
        await writeFile(path, bytes, { mode: 0o600 });
        return await work(path);
      } finally {
        await rm(path, { force: true });
      }
    },
  };
}

function tokenOf({ http }: ServerContext): { token?: string } {
  const token = http?.authInfo?.token;
  return token === undefined ? {} : { token };
}

function clientOf({ http }: ServerContext): AbortSignal {
  return http?.authInfo?.extra?.['client'] as AbortSignal;
}

function opens(scopes: readonly string[], access: Access): boolean {
  return scopes.includes('admin') || scopes.includes(access);
}
