# The headers have plain comments; Doxygen reads those that begin with two stars. A comment behind a declaration belongs to
# it, the one at the top of a file describes the file, and every other one what follows it.
NR == 1 && /^\/\* / { sub(/^\/\* [a-z_]+\.h - /, "/** @file\n * "); print; next }
/^[ \t]*\/\* ----/ { print ""; next }
/^[ \t]*\/\* / { sub(/\/\* /, "/** "); print; next }
/[;,{a-zA-Z_0-9)] *\/\* / && !/^#/ { sub(/\/\* /, "/**< "); print; next }
{ print }
