import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Locale } from '../platform/preferences';
import { type Messages, messagesFor } from './messages';

export const LanguageContext = createContext<Locale>('en');

export function useLocale(): Locale {
  return useContext(LanguageContext);
}

export function useMessages(): Messages {
  return messagesFor(useContext(LanguageContext));
}
