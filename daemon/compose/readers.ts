import type { Settings } from '../../src/config.ts';
import { createAttachmentReader, openAttachmentOutbound } from '../attachment.ts';
import { createDocumentReader } from '../document-reader.ts';
import { createImageReader } from '../image-reader.ts';

type Extractor = Parameters<typeof createDocumentReader>[0]['extractor'];

/** What reads the images and documents that requests bring. */
export function composeReaders({ settings, extractor }: { settings: Settings; extractor: Extractor }) {
  return {
    readImage: createImageReader(settings, openAttachmentOutbound),
    readDocument: createDocumentReader({
      readAttachment: createAttachmentReader(settings, openAttachmentOutbound),
      extractor,
    }),
  };
}
