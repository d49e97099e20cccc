export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" />
      <path d="M10 23V10.5c0-.9 1.1-1.3 1.7-.6L20.4 21c.5.7 1.6.3 1.6-.6V9" />
    </svg>
  );
}
