/** Images that are asked about: read from files, and made as small as models look at them. */

/** Models look at no more pixels than these on the longer side, and a browser keeps only some megabytes of conversations. */
const LONGEST_SIDE = 1_568
const QUALITY = 0.85

export const MOST_IMAGES = 8

/**
 * As `data:` URLs.
 *
 * @throws Error in words to be shown, for a file that is no image
 */
export const readImages = (files: readonly File[]): Promise<string[]> => Promise.all(files.map(readImage))

async function readImage(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new Error(`${file.name} is no image that this browser can read.`)
  })
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw images.')
  // What is transparent would be black in a JPEG.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return canvas.toDataURL('image/jpeg', QUALITY)
}
