import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ChatPart } from '../api/rest_types';

/** The people of the open chat, for its transcript. */
export interface PeopleView {
  /** The part of the person of this page; undefined for keys, and until it is known. */
  part: ChatPart | undefined;
  /** The handle of the person of this page. */
  own: string | undefined;
  /** True when messages say who wrote them. */
  isTogether: boolean;
  nameOf: (handle: string) => string;
}

export const PeopleContext = createContext<PeopleView>({ part: undefined, own: undefined, isTogether: false, nameOf: handle => handle });

export const usePeople = (): PeopleView => useContext(PeopleContext);
