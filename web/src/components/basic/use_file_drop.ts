import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * Gives files that are dropped anywhere on the page to `onFiles`; without this, the browser would leave the page to show them. Returns true while
 * files are dragged over the page and can be taken.
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void, isUsable: boolean): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = isUsable ? 'copy' : 'none';
      setOver(isUsable);
    };
    const onLeave = (event: DragEvent) => {
      // When the pointer moves between two elements of the page, `relatedTarget` is the second one.
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      if (isUsable) take.current([...event.dataTransfer.files]);
    };
    addEventListener('dragover', onDragOver);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onDragOver);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
    };
  }, [isUsable]);
  return isOver;
}
