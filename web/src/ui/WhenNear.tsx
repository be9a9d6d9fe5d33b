// What is far below is not read and drawn before somebody comes near it.
import { type ReactNode, useEffect, useRef, useState } from 'react';

export function WhenNear({ children }: { children: ReactNode }) {
  const [near, setNear] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true), { rootMargin: '400px' });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return near ? <>{children}</> : <div ref={place} className="far" />;
}
