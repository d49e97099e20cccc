import { useEffect } from 'preact/hooks';
import type { Theme } from '../platform/preferences';

/** Sets the class of the root element from which Swagger UI takes its dark colours; it ignores `color-scheme`. */
export function useDarkMode(theme: Theme): void {
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const apply = () => document.documentElement.classList.toggle('dark-mode', theme === 'dark' || (theme === 'system' && system.matches));
    apply();
    system.addEventListener('change', apply);
    return () => system.removeEventListener('change', apply);
  }, [theme]);
}
