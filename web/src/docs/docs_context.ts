/** The document and the texts of the page, for every part of it. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useLocale } from '../i18n/language_context';
import type { ApiDocument } from './api_document';
import { type DocsTexts, docsTexts } from './docs_texts';

export const DocumentContext = createContext<ApiDocument | undefined>(undefined);

/** Only below a loaded document. */
export function useDocument(): ApiDocument {
  const document = useContext(DocumentContext);
  if (!document) throw new Error('There is no document.');
  return document;
}

export function useTexts(): DocsTexts {
  return docsTexts(useLocale());
}
