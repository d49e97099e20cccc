/** A worker thread that blocks forever. */
for (;;);
