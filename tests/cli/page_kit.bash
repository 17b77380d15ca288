# What a page shows: its markup without the contents of scripts and styles. Source it, then: markup PAGE | grep ...
markup() {
    sed -E 's/^(<(script|style)[^>]*>).*<\/(script|style)>/\1/; t; /^<(script|style)/,/^<\/(script|style)>/d' "$1"
}

# Does a page load something from elsewhere, or does it allow anything but its own scripts to run?
self_contained() {
    ! markup "$1" | grep -qiE 'src=|href="[^#]|https?:|<link|@import|unsafe-inline' &&
        grep -q "Content-Security-Policy\" content=\"default-src 'none'" "$1"
}
