/** The code of pages: the shown one's is fetched with the first requests, beside the script that renders it and not after it. */
export const slidePage = async () => (await import("./slide/page/SlidePage")).SlidePage;
export const galleryPage = async () => (await import("./gallery/GalleryPage")).GalleryPage;
export const otherPage = async () => (await import("./OtherPage")).OtherPage;
