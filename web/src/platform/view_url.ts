/** The address holds the open view beside the session, so that reload, back and a copied link lead to it. */

/** A view that lies over the chat. `item` names the thing that is open inside it, such as a skill. */
export interface OpenView {
  name: string;
  item?: string;
}

export function readView(): OpenView | undefined {
  const parameters = new URLSearchParams(location.search);
  const name = parameters.get('view');
  const item = parameters.get('item');
  return name === null ? undefined : { name, item: item ?? undefined };
}

/** Returns the address of a view over the chat that is open now; without a view, the address of the chat. */
export function viewHref(view: OpenView | undefined): string {
  const url = new URL(location.href);
  url.searchParams.delete('view');
  url.searchParams.delete('item');
  if (view) url.searchParams.set('view', view.name);
  if (view?.item !== undefined) url.searchParams.set('item', view.item);
  return url.href;
}

/** Adds an entry to the history of the browser unless the address is there already. */
export function writeView(view: OpenView | undefined): void {
  const href = viewHref(view);
  if (href !== location.href) history.pushState(null, '', href);
}
