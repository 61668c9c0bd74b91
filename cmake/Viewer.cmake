# The viewer: viewer/ bundled with three.js into a page that needs no network.
#
# delassus_viewer(<variable>) sets <variable> to the files of the page, or to nothing if the viewer is left out; the global
# property DELASSUS_HAS_VIEWER says the same to the tests. Packages come
# from the npm registry when the build is configured, into the build tree, and are asked for again only if their list changes;
# bundling them needs no network.
set(DELASSUS_BUILD_VIEWER AUTO CACHE STRING "Bundle the viewer: ON, OFF, or AUTO (when npm brings its packages)")
set_property(CACHE DELASSUS_BUILD_VIEWER PROPERTY STRINGS ON OFF AUTO)
find_program(DELASSUS_NPM npm)
find_program(DELASSUS_NODE NAMES node nodejs)
mark_as_advanced(DELASSUS_NPM DELASSUS_NODE)

set(_viewer "${PROJECT_SOURCE_DIR}/viewer")
set(_viewer_modules "${PROJECT_BINARY_DIR}/viewer-modules")

# Sets <variable> to the reason why there are no packages, or to nothing.
function(_delassus_viewer_packages variable)
  set(${variable} "" PARENT_SCOPE)
  set(lists package.json package-lock.json .npmrc)
  set(stamp "")
  foreach(list IN LISTS lists)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_viewer}/${list}")
    file(SHA256 "${_viewer}/${list}" hash)
    string(APPEND stamp "${hash}\n")
  endforeach()
  set(stamp_file "${_viewer_modules}/installed")
  if(EXISTS "${stamp_file}")
    file(READ "${stamp_file}" installed)
    if(installed STREQUAL stamp)
      return()
    endif()
  endif()
  foreach(list IN LISTS lists)
    file(COPY "${_viewer}/${list}" DESTINATION "${_viewer_modules}")
  endforeach()
  message(STATUS "Viewer: asking npm for its packages")
  execute_process(
    COMMAND "${DELASSUS_NPM}" ci --prefer-offline --no-update-notifier --fetch-retries=1 --fetch-timeout=30000
    WORKING_DIRECTORY "${_viewer_modules}" TIMEOUT 180
    RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE words)
  if(NOT result EQUAL 0)
    string(STRIP "${words}" words)
    set(${variable} "npm ci failed (${result}): ${words}" PARENT_SCOPE)
    return()
  endif()
  file(WRITE "${stamp_file}" "${stamp}")
endfunction()

function(delassus_viewer variable)
  set(${variable} "" PARENT_SCOPE)
  if(NOT DELASSUS_BUILD_VIEWER)
    return()
  endif()
  set(reason "")
  if(NOT DELASSUS_NPM OR NOT DELASSUS_NODE)
    set(reason "npm is not there (Debian: npm)")
  else()
    _delassus_viewer_packages(reason)
  endif()
  if(reason)
    set(kind STATUS)
    if(NOT DELASSUS_BUILD_VIEWER STREQUAL "AUTO")
      set(kind FATAL_ERROR)
    endif()
    message(${kind} "The viewer is left out: ${reason}")
    return()
  endif()
  set(folder "${PROJECT_BINARY_DIR}/viewer")
  file(GLOB scripts CONFIGURE_DEPENDS "${_viewer}/src/*.js" "${PROJECT_SOURCE_DIR}/cli/viewer/page/*.js")
  add_custom_command(
    OUTPUT "${folder}/viewer.js" "${folder}/style.css"
    COMMAND "${DELASSUS_NODE}" "${_viewer}/bundle.mjs" "${_viewer_modules}" "${folder}"
    DEPENDS ${scripts} "${_viewer}/bundle.mjs" "${_viewer}/style.css" "${PROJECT_SOURCE_DIR}/cli/viewer/page/style.css"
            "${_viewer_modules}/installed"
    COMMENT "Bundling the viewer"
    VERBATIM)
  set_property(GLOBAL PROPERTY DELASSUS_HAS_VIEWER ON)
  set(${variable} "${_viewer}/page.html" "${folder}/style.css" "${folder}/viewer.js" PARENT_SCOPE)
endfunction()
