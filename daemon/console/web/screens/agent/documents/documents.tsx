import { AddDocuments } from './add-documents.tsx';
import { Collections } from './collections.tsx';
import { SearchDocuments } from './search-documents.tsx';

export function Documents() {
  return (
    <>
      <AddDocuments />
      <Collections />
      <SearchDocuments />
    </>
  );
}
