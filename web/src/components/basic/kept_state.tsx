/** State of a component that stays when the component leaves the document and comes back, as the turns of a long chat do. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';

interface KeptStates {
  values: Map<string, unknown>;
  /** The names of the parts around a component. */
  path: string;
}

const KeptContext = createContext<KeptStates>({ values: new Map(), path: '' });

/** Gives the kept states inside it a place of their own. `id`: unique within the part around it. */
export function KeptPart({ id, children }: { id: string; children: ComponentChildren }) {
  const { values, path } = useContext(KeptContext);
  const part = useMemo(() => ({ values, path: `${path}/${id}` }), [values, path, id]);
  return <KeptContext.Provider value={part}>{children}</KeptContext.Provider>;
}

/** Like `useKept` for an element `details`: returns its attributes. */
export function useKeptDetails(id: string): { open: boolean; onToggle: (event: { currentTarget: { open: boolean } }) => void } {
  const [open, setOpen] = useKept(id, false);
  return { open, onToggle: event => setOpen(event.currentTarget.open) };
}

/** Like `useState`. `id`: unique within the part; it stays the same for the life of the component. */
export function useKept<T>(id: string, initial: T): [T, (value: T) => void] {
  const { values, path } = useContext(KeptContext);
  const key = `${path}/${id}`;
  const [value, setValue] = useState(() => (values.has(key) ? (values.get(key) as T) : initial));
  const keep = (next: T) => {
    values.set(key, next);
    setValue(() => next);
  };
  return [value, keep];
}
