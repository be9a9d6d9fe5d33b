// What documents and their types are called in the reader's language.
import type { Document } from '@equipment-platform/client/gateway';
import { useQuery } from '@tanstack/react-query';
import { useT } from '../i18n';
import { partnersQuery, typesOfDocumentsQuery } from './exchange';

/**
 * Whether names of partners or types are still on their way. A page waits for them: names that come after what
 * they name move it under the reader. Without a connection nobody waits, and what has no name shows its id.
 */
export function useNamesLoading(): boolean {
  const partners = useQuery(partnersQuery);
  const types = useQuery(typesOfDocumentsQuery);
  return partners.isLoading || types.isLoading;
}

/** The app's own word where it has one, else the provider's title of the type. */
export function useTypeName(): (type: string) => string {
  const t = useT();
  const types = useQuery(typesOfDocumentsQuery).data;
  return (type) => t.maybe(`docType.${type}`) ?? types?.find(({ Name }) => Name === type)?.Title ?? type;
}

/** Providers may title a document by the name of its type in their own schema; then type and number say more. */
export function useDocumentTitle(): (document: Document) => string {
  const t = useT();
  const nameOf = useTypeName();
  return ({ Title, TypeNamedId, DocumentNumber }) => {
    if (!Title.startsWith(TypeNamedId)) return Title;
    return DocumentNumber === undefined || DocumentNumber === '' ? nameOf(TypeNamedId) : t('documents.titleOf', { type: nameOf(TypeNamedId), number: DocumentNumber });
  };
}
