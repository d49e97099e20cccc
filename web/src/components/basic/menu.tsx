import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './icon';

export interface MenuItem {
  id: string;
  name: string;
  icon: IconName;
  isDangerous?: boolean;
  onChoose: () => void;
}

interface MenuProps {
  label: string;
  /** The button that opened the menu; it gets the focus back. */
  anchor: HTMLElement | null;
  items: readonly MenuItem[];
  /** Gets the id of the chosen item; undefined when the person closed the menu. */
  onClose: (chosen: string | undefined) => void;
}

/** Distance of the menu from its button and from the edge of the window, in pixels. */
const GAP = 4;

/** A menu in the top layer, beside the button that opened it. Arrow keys move, Escape and Tab close. */
export function Menu({ label, anchor, items, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const isSettled = useRef(false);
  const settle = (item?: MenuItem) => {
    if (isSettled.current) return;
    isSettled.current = true;
    anchor?.focus({ preventScroll: true });
    onClose(item?.id);
    item?.onChoose();
  };
  useLayoutEffect(() => {
    const element = menu.current;
    if (!element) return;
    element.showPopover();
    if (anchor) place(element, anchor.getBoundingClientRect());
    element.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
    const onToggle = (event: Event) => (event as ToggleEvent).newState === 'closed' && settle();
    element.addEventListener('toggle', onToggle);
    return () => element.removeEventListener('toggle', onToggle);
  }, []);
  return (
    <div
      ref={menu}
      class="menu"
      role="menu"
      aria-label={label}
      popover="auto"
      tabIndex={-1}
      data-testid="menu"
      onKeyDown={event => {
        const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
        const index = buttons.indexOf(document.activeElement as HTMLElement);
        const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
        // The list behind the menu and the page have keys of their own.
        event.stopPropagation();
        if (next !== undefined) {
          event.preventDefault();
          buttons.at(next % buttons.length)?.focus();
        } else if (event.key === 'Escape' || event.key === 'Tab') {
          event.preventDefault();
          settle();
        }
      }}
    >
      {items.map(item => (
        <button
          key={item.id}
          type="button"
          role="menuitem"
          class={item.isDangerous ? 'menu-item danger' : 'menu-item'}
          tabIndex={-1}
          data-testid={`menu-${item.id}`}
          onClick={() => settle(item)}
        >
          <Icon name={item.icon} />
          {item.name}
        </button>
      ))}
    </div>
  );
}

/** Puts the menu below the button, or above it where there is no room. */
function place(element: HTMLElement, button: DOMRect): void {
  const { width, height } = element.getBoundingClientRect();
  const below = button.bottom + GAP;
  const top = below + height <= innerHeight ? below : Math.max(GAP, button.top - GAP - height);
  element.style.top = `${top}px`;
  element.style.left = `${Math.max(GAP, Math.min(button.right - width, innerWidth - width - GAP))}px`;
}
