import { Component, type ComponentType, h } from 'preact';

/** Renders the component again only when one of its props has changed. */
export function memo<P extends object>(inner: ComponentType<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !isShallowEqual(this.props, next);
    }
    override render() {
      return h(inner, this.props as P);
    }
  };
}

function isShallowEqual(a: object, b: object): boolean {
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every(name => name in right && Object.is(left[name], right[name]));
}
