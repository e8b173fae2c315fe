import type { Extractor } from '../../src/agent/tools/extract.ts';
import type { Settings } from '../../src/config/config.ts';
import { createAttachmentReader, openAttachmentOutbound } from '../attachments/attachment.ts';
import { createDocumentReader } from '../attachments/document-reader.ts';
import { createImageReader } from '../attachments/image-reader.ts';

/** How images and documents in messages are read: from data: URLs, or from web URLs if that is allowed. */
export function composeAttachments(settings: Settings, extractor: Extractor) {
  const readAttachment = createAttachmentReader(settings, openAttachmentOutbound);
  return {
    readImage: createImageReader(settings, openAttachmentOutbound),
    readDocument: createDocumentReader({ readAttachment, extractor }),
  };
}
